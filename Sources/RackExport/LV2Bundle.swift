import AudioUnits
import Documents
import RackModel
import UnitModel

/// An LV2 bundle with units and racks as plug-ins, which need no program of Backline.
public struct LV2Bundle {
  let catalogue: ComponentCatalogue
  /// The prefix of the plug-ins' URIs.
  let base: String
  /// The license of plug-ins with units that do not come with Backline, a URI; nil if it is not known.
  let license: String?
  private(set) var entries: [Entry] = []
  /// The paths of the units' code, by file name in the bundle.
  private(set) var libraries: [String: String] = [:]
  /// The files that units read.
  var files = BundleFiles()

  /// Plug-ins with the same parameters, and their presets.
  struct Entry {
    /// The name for the names of the entry's files.
    var name: String
    var plugIns: [PlugIn]
    var libraries: [String?]
    var presets: [PlugInPreset]
  }

  /// The reason why a unit or rack cannot be exported, a sentence.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  public static let defaultBase = "urn:backline:"
  static let ownLicense = "http://opensource.org/licenses/MIT"

  /// - Parameters:
  ///   - base: the prefix of the plug-ins' URIs.
  ///   - license: a URI for plug-ins with units that do not come with Backline.
  public init(
    catalogue: ComponentCatalogue, base: String = Self.defaultBase, license: String? = nil
  ) {
    (self.catalogue, self.base, self.license) = (catalogue, base, license)
  }

  /// Whether a text can be a URI or the start of a URI.
  public static func isURI(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|^`\\]*/) != nil
  }

  /// The URIs of the plug-ins.
  public var uris: [String] { entries.flatMap { $0.plugIns.map(\.uri) } }

  mutating func append(_ entry: Entry) throws(Failure) {
    let present = Set(uris)
    if let twice = entry.plugIns.first(where: { present.contains($0.uri) }) {
      throw Failure(description: "<\(twice.uri)> would be two plug-ins; leave one out")
    }
    entries.append(entry)
  }

  /// Adds a unit's code; returns its file name in the bundle, nil for a built-in unit.
  ///
  /// - Throws: `Failure` if the unit cannot be exported.
  mutating func addLibrary(of component: Component) throws(Failure) -> String? {
    guard component.component.rackFile == nil else {
      throw Failure(
        description: "\(component.name) is a rack within a rack, and cannot be exported")
    }
    guard !component.facts.isOfflineEffect else {
      throw Failure(
        description: "\(component.name) is an offline effect, which no LV2 host can play")
    }
    guard component.component.plugIn == nil else {
      throw Failure(
        description: "\(component.component) is a plug-in of another format and cannot be exported")
    }
    guard component.allowsInProcess else {
      throw Failure(
        description: "\(component.name) does not allow to be loaded into other programs"
          + " (in_process: true in its unit.yaml)")
    }
    guard let path = component.codePath else { return nil }
    let name = "\(component.component.fileName).so"
    if let other = libraries.updateValue(path, forKey: name), other != path {
      throw Failure(
        description: "\(component.component) is in two bundles, \(other) and \(path); leave one out"
      )
    }
    return name
  }
}
