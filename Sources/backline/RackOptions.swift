import ArgumentParser
import AudioUnits
import Glibc
import RackEngine
import RackModel
import UnitModel

/// The units that can be used.
struct CatalogueOptions: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: "A shared library with units of your own; may be given several times.")
  var libraries: [String] = []

  func catalogue() throws -> ComponentCatalogue {
    var catalogue = ComponentCatalogue()
    for path in libraries {
      do {
        try catalogue.add(libraryAt: path)
      } catch {
        Terminal.complain("error: \(error)")
        throw ExitCode.failed
      }
    }
    return catalogue
  }
}

/// A rack file, read and checked.
enum RackLoader {
  /// The plan and what there is to say about the file.
  ///
  /// A name without a slash or suffix that is no file here is looked for among the racks that come
  /// with Backline.
  static func load(
    _ name: String, catalogue: ComponentCatalogue
  ) -> (plan: Plan?, diagnostics: [Diagnostic]) {
    let path = locate(name)
    let bytes: [UInt8]
    do {
      bytes = try read(path)
    } catch {
      let start = SourcePosition(line: 1, column: 1)
      return (nil, [Diagnostic(file: name, position: start, message: "\(error)")])
    }
    let checker = RackChecker(catalogue: catalogue.facts, folder: folder(of: path)) { path in
      var info = stat()
      return stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFDIR && access(path, R_OK) == 0
    }
    return checker.check(bytes, file: path)
  }

  /// The plan; what is wrong goes to standard error.
  static func plan(_ name: String, catalogue: ComponentCatalogue) throws -> Plan {
    let (plan, diagnostics) = load(name, catalogue: catalogue)
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    guard let plan else { throw ExitCode.wrongRack }
    return plan
  }

  private static func locate(_ name: String) -> String {
    if access(name, F_OK) == 0 || name.contains("/") { return name }
    let file = name.hasSuffix(".yaml") ? name : "\(name).yaml"
    return DataFolder.find("racks/\(file)") ?? name
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RackError("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    // One byte more than the parser takes is enough for it to say that the file is too large.
    while bytes.count <= RackFileParser.maximumSize {
      let count = Glibc.read(descriptor, &block, block.count)
      guard count >= 0 else {
        throw RackError("cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  private static func folder(of path: String) -> String {
    var resolved = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard realpath(path, &resolved) != nil else { return "." }
    let whole = String(
      decoding: resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + whole.split(separator: "/").dropLast().joined(separator: "/")
  }
}
