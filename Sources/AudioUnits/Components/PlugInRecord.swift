import UnitModel

/// A child process's findings about a plug-in.
package struct PlugInRecord: Sendable, Codable {
  /// The plug-in's name, `lv2:URI` or `ladspa:LIBRARY/LABEL`.
  package var name: String
  /// The plug-in's facts; nil if it cannot be a unit.
  package var facts: UnitFacts?
  /// The folder of its LV2 bundle or of its LADSPA library, and the file with its code.
  package var folder, library: String?
  /// The reason why the plug-in cannot be a unit.
  package var problem: String?

  package init(
    name: String, facts: UnitFacts? = nil, folder: String? = nil, library: String? = nil,
    problem: String? = nil
  ) {
    (self.name, self.facts, self.problem) = (name, facts, problem)
    (self.folder, self.library) = (folder, library)
  }

  /// A line of the child's output: what it is about to read, so that a crash can be attributed, or what
  /// it has read.
  package enum Line: Sendable, Codable {
    /// The library or the plug-in that the child is about to read.
    case reading(String)
    case read(PlugInRecord)

    package var bytes: [UInt8] {
      ((try? CacheFile.encoder.encode(self)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
    }
  }
}
