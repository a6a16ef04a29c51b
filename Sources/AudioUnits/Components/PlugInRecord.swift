import UnitModel

/// What a child process has read of a plug-in.
package struct PlugInRecord: Sendable, Codable {
  /// `lv2:URI`, `ladspa:LIBRARY/LABEL`
  package var name: String
  /// Nil where the plug-in cannot be a unit.
  package var facts: UnitFacts?
  /// The folder of its LV2 bundle or of its LADSPA library, and the file with its code.
  package var folder, library: String?
  /// Why it cannot be a unit.
  package var problem: String?

  package init(
    name: String, facts: UnitFacts? = nil, folder: String? = nil, library: String? = nil,
    problem: String? = nil
  ) {
    (self.name, self.facts, self.problem) = (name, facts, problem)
    (self.folder, self.library) = (folder, library)
  }

  /// A line of the child: what it is about to read, so that a crash can be blamed on it, or what it has
  /// read.
  package enum Line: Sendable, Codable {
    /// A library, or a plug-in's name.
    case reading(String)
    case read(PlugInRecord)

    package var bytes: [UInt8] {
      ((try? CacheFile.encoder.encode(self)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
    }
  }
}
