import BacklineTestSupport
import Foundation

/// Unit bundles that are all different: each has a manifest and a library of its own. The libraries
/// are copies of one that is compiled from the template, with another name and code written over its
/// own.
struct ManyBundles {
  /// The folder for XDG_DATA_HOME.
  let dataFolder: String
  let names: [String]
  var unitFolder: String { "\(dataFolder)/backline/units" }
  var manifests: [String] { names.map { "\(unitFolder)/\($0).unit/unit.yaml" } }
  var libraries: [String] {
    names.map { "\(unitFolder)/\($0).unit/\(TestBundle.platform)/unit.so" }
  }

  struct NotMade: Error, CustomStringConvertible {
    var description: String { "the template's library does not have its name and code in it" }
  }

  init(_ count: Int, in folder: TemporaryFolder) throws {
    precondition(count <= 10_000, "a subtype has four digits")
    dataFolder = folder.path("data")
    names = (0..<count).map { "Unit\(Self.digits($0))" }
    try FileManager.default.createDirectory(
      atPath: unitFolder, withIntermediateDirectories: true)
    let template = try TestBundle(in: folder.url.path)
    let library = try Data(contentsOf: URL(fileURLWithPath: template.libraryPath))
    guard let namePlace = library.range(of: Data("Template".utf8)),
      let codePlace = library.range(of: Self.code("tmpl"))
    else { throw NotMade() }
    for (number, name) in names.enumerated() {
      let digits = Self.digits(number)
      var copy = library
      copy.replaceSubrange(namePlace, with: Data(name.utf8))
      copy.replaceSubrange(codePlace, with: Self.code(digits))
      let manifest = TestBundle.manifest.replacing("Template", with: name)
        .replacing("tmpl", with: digits)
      let bundle = try TestBundle(
        name, in: unitFolder, manifest: { _ in manifest }, code: { _ in nil })
      try copy.write(to: URL(fileURLWithPath: bundle.libraryPath))
    }
  }

  /// Returns a four-character code in memory order.
  private static func code(_ text: String) -> Data {
    let number = text.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return withUnsafeBytes(of: number) { Data($0) }
  }

  private static func digits(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
