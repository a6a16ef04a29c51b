import AudioUnits
import Documents
import Glibc
import RackEngine
import RackModel
import RackSession
import UnitModel

/// A rack file, read and checked.
package enum RackLoader {
  /// The rack and what there is to say about the file.
  ///
  /// A name without a slash or suffix that is no file here is looked for among the racks that come
  /// with Backline.
  /// `mayMiss`: plays on stage, where a unit that is not there must not keep the rest from playing.
  /// `setLists`: what else the name could have been meant for.
  package static func load(
    _ name: String, catalogue: ComponentCatalogue, mayMiss: Bool = false, setLists: [String] = []
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    load(name, at: locate(name), catalogue: catalogue, mayMiss: mayMiss, setLists: setLists)
  }

  /// As `load`, from the file that `name` stood for when it was located.
  package static func load(
    _ name: String, at path: String, catalogue: ComponentCatalogue, mayMiss: Bool = false,
    setLists: [String] = []
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let bytes: [UInt8]
    do {
      // One byte more than the parser takes is enough for it to say that the file is too large.
      bytes = try WholeFile.read(path, limit: RackFileParser.maximumSize)
    } catch {
      let start = SourcePosition(line: 1, column: 1)
      return (
        nil,
        [
          Diagnostic(
            file: name, position: start,
            message: missing(name, catalogue: catalogue, setLists: setLists)
              ?? error.reason,
            suggestion: suggestion(for: name, in: shippedNames + setLists))
        ]
      )
    }
    let folder = folder(of: path)
    catalogue.include(folder: UnitFolders.besideRack(in: folder))
    var checker = checker(folder, catalogue: catalogue)
    checker.mayMiss = { _ in mayMiss }
    checker.allowsMissingFiles = mayMiss
    return checker.open(bytes, file: path)
  }

  package static func checker(_ folder: String, catalogue: any UnitDirectory) -> RackChecker {
    RackChecker(
      catalogue: catalogue, folder: folder, presets: PresetLibrary.standard.states,
      fileExists: isReadable)
  }

  /// For a session that may load any rack.
  package static func sources(_ catalogue: ComponentCatalogue) -> RackSources {
    RackSources(
      checker: {
        var checker = RackLoader.checker($0, catalogue: catalogue)
        checker.allowsMissingFiles = true
        return checker
      },
      load: { load($0, catalogue: catalogue, mayMiss: true) },
      reasonNotToWrite: reasonNotToWrite)
  }

  /// Racks that come with Backline stay as they came, and what `backline play` plays is no file.
  package static func reasonNotToWrite(_ name: String) -> String? {
    if name.isEmpty { return "this rack has no file; name one: backline ctl save FILE" }
    let file = String(name.split(separator: "/").last ?? "")
    guard DataFolder.find("racks/\(file)") == name else { return nil }
    return
      "\(file.dropLast(5)) comes with Backline and stays as it is; save it in a file of your own:"
      + " backline ctl save \(file)"
  }

  private static func isReadable(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFDIR && access(path, R_OK) == 0
  }

  /// The same with the lanes of an automation file, if one is given.
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

  /// Is there something to read under this name?
  package static func isThere(_ name: String) -> Bool { access(locate(name), F_OK) == 0 }

  /// The path of the file that a name stands for.
  package static func locate(_ name: String) -> String {
    if WholeFile.isThere(name) || name.contains("/") { return name }
    let file = name.hasSuffix(".yaml") ? name : "\(name).yaml"
    return DataFolder.find("racks/\(file)") ?? name
  }

  /// Why there is no rack of this name, which is no path, nor a set list, where it could be one of
  /// `setLists`; nil where something lies there.
  private static func missing(
    _ word: String, catalogue: ComponentCatalogue, setLists: [String] = []
  ) -> String? {
    guard !word.contains("/"), !word.hasSuffix(".yaml"), !isThere(word) else {
      return nil
    }
    if let unit = catalogue.knownFacts.first(where: {
      $0.name.lowercased() == word.lowercased() || $0.component.description == word
    }) {
      return "this is a unit, no rack; play it with: backline play \(unit.component)"
    }
    let racks = shippedNames.joined(separator: ", ")
    let kind = setLists.isEmpty ? "rack" : "rack or set list"
    let others = setLists.isEmpty ? "" : "; set lists: \(setLists.joined(separator: ", "))"
    return "there is no such file, and no such \(kind) among those that come with Backline: "
      + racks + others
  }

  /// The word that was most likely meant by the name of a rack that is not there.
  private static func suggestion(for name: String, in known: [String]) -> String? {
    guard access(name, F_OK) != 0 else { return nil }
    let word = word(for: name)
    return known.first { $0 == word } ?? nearestWord(to: word, in: known)
  }

  /// A rack file's name without its folder and suffix.
  package static func word(for name: String) -> String {
    let word = String(name.split(separator: "/").last ?? "")
    return word.hasSuffix(".yaml") ? String(word.dropLast(5)) : word
  }

  /// The names of the racks that come with Backline, in order.
  package static var shippedNames: [String] {
    DataFolder.contents("racks").filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".setlist.yaml") }
      .map { String($0.dropLast(5)) }
  }

  package static func folder(of path: String) -> String {
    var resolved = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard realpath(path, &resolved) != nil else { return "." }
    let whole = String(
      decoding: resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + whole.split(separator: "/").dropLast().joined(separator: "/")
  }
}
