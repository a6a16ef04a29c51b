import AudioUnits
import Documents
import Glibc
import RackModel
import RackSession
import UnitModel

/// Reads and checks rack files.
package enum RackLoader {
  /// Reads the rack of a file, or a rack that comes with Backline, by name; returns errors and warnings. The rack
  /// is nil if there are errors.
  ///
  /// - Parameters:
  ///   - path: the file, if the name was located before.
  ///   - mayMiss: whether units and files may be missing, as on stage; the rest of the rack then plays.
  ///   - playsLive: whether the rack is to play live, so that it can have no offline effect.
  ///   - setLists: names of set lists that the name may have been meant for.
  package static func load(
    _ name: String, at path: String? = nil, catalogue: ComponentCatalogue, mayMiss: Bool = false,
    playsLive: Bool = false, setLists: [String] = []
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let path = path ?? locate(name)
    do {
      let bytes = try WholeFile.read(path, limit: Rack.maximumSize)
      if SetListChecker.isSetList(bytes) {
        return (nil, [Diagnostic(file: name, position: .start, message: setListReason(name))])
      }
      let folder = folder(of: path)
      catalogue.include(folder: UnitFolders.besideRack(in: folder))
      catalogue.includeRacks()
      var checker = checker(folder, catalogue: catalogue)
      checker.mayMiss = { _ in mayMiss }
      checker.allowsMissingFiles = mayMiss
      checker.playsLive = playsLive
      return checker.open(bytes, file: path)
    } catch {
      let (word, known) = (word(for: name), shippedNames + setLists)
      let isThere = WholeFile.isThere(name)
      let nearest = isThere ? nil : known.first { $0 == word } ?? nearestWord(to: word, in: known)
      let reason = missing(name, catalogue: catalogue, setLists: setLists) ?? error.reason
      return (nil, [Diagnostic(file: name, position: .start, message: reason, suggestion: nearest)])
    }
  }

  /// Returns errors and warnings about the files that the units of a rack, and of racks within it, read.
  package static func fileFindings(
    of rack: CheckedRack, catalogue: ComponentCatalogue
  ) -> [Diagnostic] {
    // Files of racks within racks that cannot be read make these racks unusable as units.
    let inner = Set(rack.plan.units.compactMap(\.component.rackFile)).sorted()
    return rack.plan.fileFindings(in: catalogue)
      + inner.compactMap { load($0, at: $0, catalogue: catalogue).rack }
      .flatMap { fileFindings(of: $0, catalogue: catalogue) }
  }

  /// Returns a checker that resolves paths in a folder.
  package static func checker(_ folder: String, catalogue: any UnitDirectory) -> RackChecker {
    var checker = RackChecker(
      catalogue: catalogue, folder: folder,
      presets: { PresetLibrary.standard.presets(of: $0).entries.map(\.state) },
      fileExists: isReadable)
    checker.targets = Commands.targets
    return checker
  }

  private static func isReadable(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFDIR && access(path, R_OK) == 0
  }

  /// Returns the sources of a session, which may load any rack.
  package static func sources(_ catalogue: ComponentCatalogue) -> RackSources {
    RackSources(
      checker: {
        var checker = RackLoader.checker($0, catalogue: catalogue)
        checker.allowsMissingFiles = true
        checker.playsLive = true
        return checker
      },
      load: { load($0, catalogue: catalogue, mayMiss: true, playsLive: true) },
      reasonNotToWrite: reasonNotToWrite)
  }

  /// Returns the reason why a rack's file must not be written, as of racks that come with Backline; nil if it may.
  package static func reasonNotToWrite(_ name: String) -> String? {
    if name.isEmpty { return "this rack has no file; name a file: backline ctl save FILE" }
    let file = FilePath.name(of: name)
    guard DataFolder.find("racks/\(file)") == name else { return nil }
    return "\(file.dropLast(5)) comes with Backline and stays as it is; save a copy:"
      + " backline ctl save \(file)"
  }

  /// Returns the rack with the lanes of an automation file, if a file is given.
  package static func adding(
    _ automation: String?, to loaded: (rack: CheckedRack?, diagnostics: [Diagnostic]),
    catalogue: ComponentCatalogue
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    guard let automation, let rack = loaded.rack else { return loaded }
    var checker = checker(rack.folder, catalogue: catalogue)
    checker.allowsMissingFiles = true
    let missing = Set(rack.plan.missing.map(\.unit))
    checker.mayMiss = { missing.contains($0) }
    let (changed, diagnostics) = rack.adding(automation: automation, checker: checker)
    return (changed, loaded.diagnostics + diagnostics)
  }

  /// Whether a name stands for a file that exists.
  package static func isThere(_ name: String) -> Bool { access(locate(name), F_OK) == 0 }

  /// Returns the path of the file that a name stands for.
  package static func locate(_ name: String) -> String {
    if WholeFile.isThere(name) || name.contains("/") { return name }
    return DataFolder.find("racks/\(name.hasSuffix(".yaml") ? name : "\(name).yaml")") ?? name
  }

  /// Returns the reason why a word that is not a path names no rack and no set list of `setLists`; nil for paths
  /// and for names of racks.
  private static func missing(
    _ word: String, catalogue: ComponentCatalogue, setLists: [String]
  ) -> String? {
    guard !word.contains("/"), !word.hasSuffix(".yaml"), !isThere(word) else { return nil }
    if let unit = catalogue.knownFacts(named: word) {
      return "this is a unit, not a rack; play it with: backline play \(unit.component)"
    }
    if SetListLoader.shippedNames.contains(word) { return setListReason(word) }
    let kind = setLists.isEmpty ? "rack" : "rack or set list"
    let others = setLists.isEmpty ? "" : "; set lists: \(setLists.joined(separator: ", "))"
    return "there is no such file, and no such \(kind) comes with Backline; racks: "
      + shippedNames.joined(separator: ", ") + others
  }

  private static func setListReason(_ name: String) -> String {
    "this is a set list, not a rack; play it with: backline run \(name)"
  }

  /// Returns a rack file's name without its folder and suffix.
  static func word(for name: String) -> String {
    let word = FilePath.name(of: name)
    return String(word.hasSuffix(".yaml") ? word.dropLast(5) : word)
  }

  /// The names of the racks that come with Backline, in order.
  package static var shippedNames: [String] {
    DataFolder.contents("racks").filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".setlist.yaml") }
      .map { String($0.dropLast(5)) }
  }

  /// Returns the absolute path of a file's folder; "." if that folder does not exist.
  static func folder(of path: String) -> String {
    FilePath.resolve(path).map(FilePath.folder) ?? "."
  }
}

extension SourcePosition {
  static let start = SourcePosition(line: 1, column: 1)
}
