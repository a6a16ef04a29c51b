import AudioUnits
import Documents
import RackModel
import UnitModel

/// An LV2 bundle with units and racks as plug-ins, which need no program of Backline to play.
public struct LV2Bundle {
  let catalogue: ComponentCatalogue
  /// How the plug-ins' URIs begin.
  let base: String
  /// Of units in bundles, whose license is not known; a URI.
  let license: String?
  private var entries: [Entry] = []
  /// Code of units by its file's name in the bundle.
  private var libraries: [String: String] = [:]
  /// Files that units need: their names in the bundle by their paths from the root.
  private var files: [String: String] = [:]

  /// Plug-ins with the same parameters, and their presets.
  struct Entry {
    /// For file names.
    var name: String
    var plugIns: [PlugIn]
    var libraries: [String?]
    var presets: [PlugInPreset]
  }

  /// Why something cannot be exported, for people.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  public static let usualBase = "urn:backline:"
  static let ownLicense = "http://opensource.org/licenses/MIT"
  private static let libraryName = "backline.so"
  private static let listName = "plug-ins.txt"

  /// - Parameters:
  ///   - base: how the plug-ins' URIs begin.
  ///   - license: a URI for plug-ins with units that do not come with Backline.
  public init(
    catalogue: ComponentCatalogue, base: String = Self.usualBase, license: String? = nil
  ) {
    (self.catalogue, self.base, self.license) = (catalogue, base, license)
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

  /// The file of a unit's code in the bundle; nil for a built-in unit.
  mutating func addLibrary(of component: Component) throws(Failure) -> String? {
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
    libraries[name] = path
    return name
  }

  /// The place of a file in the bundle.
  mutating func addFile(_ path: String) -> String {
    if let name = files[path] { return name }
    let (_, own) = FilePlace.split(path)
    var name = "files/\(own)"
    var number = 2
    while files.values.contains(name) {
      name = "files/\(number)-\(own)"
      number += 1
    }
    files[path] = name
    return name
  }

  /// Writes the bundle: a new folder, or in the place of an earlier export.
  ///
  /// - Parameter library: the path of libbackline-lv2.so.
  public func write(to folder: String, library: String) throws {
    let present = Folder.names(in: folder)
    guard present.isEmpty || present.contains(Self.listName) else {
      throw Failure(description: "\(folder): it has other files; name a new folder")
    }
    try Folder.make(folder)
    try Self.copy(library, to: "\(folder)/\(Self.libraryName)")
    for (name, path) in libraries { try Self.copy(path, to: "\(folder)/\(name)") }
    if !files.isEmpty { try Folder.make("\(folder)/files") }
    for (path, name) in files { try Self.copy(path, to: "\(folder)/\(name)") }
    for entry in entries {
      for plugIn in entry.plugIns {
        try Self.write(plugIn.turtle, to: "\(folder)/\(fileName(of: plugIn))")
      }
      if !entry.presets.isEmpty {
        try Self.write(presets(of: entry), to: "\(folder)/\(entry.name).presets.ttl")
      }
    }
    let lines = entries.flatMap { entry in
      entry.plugIns.flatMap { $0.lines(libraries: entry.libraries, files: files) }
    }
    try Self.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/\(Self.listName)")
    // Last: a host that looks in between finds no plug-in or whole ones.
    try Self.write(manifest, to: "\(folder)/manifest.ttl")
  }

  private var manifest: String {
    var text = Turtle.prefixes
    for entry in entries {
      for plugIn in entry.plugIns {
        text += Turtle.statement(
          "<\(plugIn.uri)>",
          [
            "a lv2:Plugin", "lv2:binary <\(Self.libraryName)>",
            "rdfs:seeAlso <\(fileName(of: plugIn))>",
          ])
      }
      for preset in entry.presets {
        text += Turtle.statement(
          "<\(preset.uri)>",
          [
            "a pset:Preset",
            "lv2:appliesTo " + entry.plugIns.map { "<\($0.uri)>" }.joined(separator: " , "),
            "rdfs:seeAlso <\(entry.name).presets.ttl>",
          ])
      }
    }
    return text
  }

  private func presets(of entry: Entry) -> String {
    guard let first = entry.plugIns.first else { return "" }
    let uris = entry.plugIns.map(\.uri)
    return Turtle.prefixes
      + entry.presets.map { first.turtle(of: $0, appliesTo: uris) }.joined()
  }

  private func fileName(of plugIn: PlugIn) -> String {
    let local = plugIn.uri.dropFirst(base.count)
    return String(local.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }) + ".ttl"
  }

  private static func write(_ text: String, to path: String) throws(FileError) {
    try WholeFile.write(Array(text.utf8), to: path)
  }

  private static func copy(_ path: String, to place: String) throws(FileError) {
    try WholeFile.write(try WholeFile.read(path, limit: largestFile), to: place)
  }

  /// Bytes.
  private static let largestFile = 1 << 30
}
