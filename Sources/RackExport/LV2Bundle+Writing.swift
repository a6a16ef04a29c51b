import Documents
import Glibc

extension LV2Bundle {
  private static let libraryName = "backline.so"
  private static let listName = "plug-ins.txt"

  /// Writes the bundle as a new folder, or replaces an earlier export.
  ///
  /// - Parameter library: the path of libbackline-lv2.so.
  /// - Throws: `FileError`, or `Failure` if the folder has other files.
  public func write(to folder: String, library: String) throws {
    guard Self.mayReplace(Folder.names(in: folder)) else {
      throw Failure(description: "\(folder): it has other files; name a new folder")
    }
    try Folder.make(folder)
    guard Folder.isThere(folder), let place = FilePath.resolve(folder) else {
      throw FileError(path: folder, reason: "it is no folder; name a new one")
    }
    // Under another name first: the bundle is there whole or not at all, and nothing is left of an
    // earlier one.
    let suffix = ".\(getpid())\(WholeFile.temporarySuffix)"
    let (new, former) = (place + suffix, "\(place).former\(suffix)")
    defer { for folder in [new, former] { Self.remove(folder) } }
    do { try writeFiles(to: new, library: library) } catch {
      throw FileError(path: error.path.replacing(new, with: folder), reason: error.reason)
    }
    guard rename(place, former) == 0 else { throw FileError(path: folder) }
    guard rename(new, place) == 0 else {
      let error = FileError(path: folder)
      rename(former, place)
      throw error
    }
  }

  /// Whether a folder with these names is empty, or has an earlier export and nothing else.
  private static func mayReplace(_ names: [String]) -> Bool {
    names.isEmpty
      || names.contains(listName)
        && names.allSatisfy { name in
          [listName, "files"].contains(name) || name.hasSuffix(".ttl") || name.hasSuffix(".so")
        }
  }

  private static func remove(_ bundle: String) {
    for name in Folder.names(in: bundle) where unlink("\(bundle)/\(name)") != 0 {
      remove("\(bundle)/\(name)")
    }
    rmdir(bundle)
  }

  private func writeFiles(to folder: String, library: String) throws(FileError) {
    try Folder.make(folder)
    try Self.copy(library, to: "\(folder)/\(Self.libraryName)")
    for (name, path) in libraries { try Self.copy(path, to: "\(folder)/\(name)") }
    for (place, path) in files.sources {
      try Folder.make(FilePath.folder(of: "\(folder)/\(place)"))
      try Self.copy(path, to: "\(folder)/\(place)")
    }
    for entry in entries {
      for plugIn in entry.plugIns {
        try Self.write(plugIn.turtle, to: "\(folder)/\(fileName(of: plugIn)).ttl")
      }
      if !entry.presets.isEmpty {
        try Self.write(presets(of: entry), to: "\(folder)/\(entry.name).presets.ttl")
      }
    }
    let lines = entries.flatMap { entry in
      entry.plugIns.flatMap { $0.lines(libraries: entry.libraries, files: files.places) }
    }
    try Self.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/\(Self.listName)")
    // Last: a host that looks in between finds no plug-in.
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
            "rdfs:seeAlso <\(fileName(of: plugIn)).ttl>",
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

  /// Returns the name of a plug-in's file, without the suffix.
  func fileName(of plugIn: PlugIn) -> String {
    let local = plugIn.uri.dropFirst(base.count)
    return String(local.map { Turtle.isPlain($0) ? $0 : "-" })
  }

  private static func write(_ text: String, to path: String) throws(FileError) {
    try WholeFile.write(Array(text.utf8), to: path, durably: false)
  }

  private static func copy(_ path: String, to place: String) throws(FileError) {
    try WholeFile.write(try WholeFile.read(path, limit: largestFile), to: place, durably: false)
  }

  /// The largest file that is copied, bytes.
  private static let largestFile = 1 << 30
}
