import UnitModel

/// The content of a bundle's `unit.yaml`: everything known about a unit before its code runs.
public struct UnitManifest: Sendable, Equatable, Codable {
  package var component: ComponentDescription
  /// The version as 0x00MMmmpp.
  package var version: UInt32
  package var name: String
  /// The manufacturer; empty if the library names it. The summary is empty, too, then.
  package var manufacturerName = ""
  package var summary = ""
  package var tags: [String] = []
  /// Whether the unit's code may be loaded into the program that plays it.
  package var allowsInProcess = false
  /// The rights that the unit needs and a sandbox would refuse.
  package var needs: [Need] = []
  /// The file of the custom view, relative to the bundle.
  package var view: String?

  /// A right that a sandbox would refuse.
  public enum Need: String, Sendable, Codable, CaseIterable {
    /// Access to files outside the bundle.
    case files
    case network
    /// Starting programs.
    case processes
  }

  /// The facts known without the library.
  var facts: UnitFacts {
    UnitFacts(
      component: component, version: version, name: name, manufacturerName: manufacturerName,
      summary: summary, tags: tags)
  }
}
