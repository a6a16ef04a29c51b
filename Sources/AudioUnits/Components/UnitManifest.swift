import UnitModel

/// The content of a bundle's `unit.yaml`: everything known of a unit before its code runs.
public struct UnitManifest: Sendable, Equatable, Codable {
  package var component: ComponentDescription
  /// 0x00MMmmpp.
  package var version: UInt32
  package var name: String
  /// Empty where the library has it; so is the summary.
  package var manufacturerName = ""
  package var summary = ""
  package var tags: [String] = []
  /// Whether the unit's code may be loaded into the program that plays it.
  package var allowsInProcess = false
  /// Rights that the unit needs and a sandbox would refuse.
  package var needs: [Need] = []
  /// The file of its own view, relative to the bundle.
  package var view: String?

  /// A right that a sandbox refuses.
  public enum Need: String, Sendable, Codable, CaseIterable {
    /// Files outside the bundle.
    case files
    case network
    /// Programs that it starts.
    case processes
  }

  /// The facts that are known without the library.
  var facts: UnitFacts {
    UnitFacts(
      component: component, version: version, name: name, manufacturerName: manufacturerName,
      summary: summary, tags: tags)
  }
}
