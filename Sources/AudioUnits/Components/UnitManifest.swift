import Documents
import UnitModel

/// What a bundle's `unit.yaml` says: all that is known of a unit before any of its code is run.
public struct UnitManifest: Sendable, Equatable, Codable {
  public var component: ComponentDescription
  /// 0x00MMmmpp.
  public var version: UInt32
  public var name: String
  /// Empty where the file leaves it to the library, like the summary.
  public var manufacturerName = ""
  public var summary = ""
  public var tags: [String] = []
  /// May the unit's code be loaded into the program that plays it?
  public var allowsInProcess = false
  /// What the unit cannot do without, though a sandbox would refuse it.
  public var needs: [Need] = []
  /// The file of its custom view, taken from the bundle.
  public var view: String?

  /// What units are refused when they run in a sandbox.
  public enum Need: String, Sendable, Codable, CaseIterable {
    /// Files outside the bundle.
    case files
    case network
    /// Programs that it starts.
    case processes
  }

  /// The facts as far as they are known without the library.
  var facts: UnitFacts {
    UnitFacts(
      component: component, version: version, name: name, manufacturerName: manufacturerName,
      summary: summary, tags: tags)
  }
}

/// A factory preset as the manifest has it, not yet checked against the unit's parameters.
struct ManifestPreset: Sendable, Equatable {
  var name: Located<String>
  var settings: [SettingEntry]
}
