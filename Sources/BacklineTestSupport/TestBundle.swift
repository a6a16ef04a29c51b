import Foundation

/// A unit bundle that a test builds with the C compiler, from a unit without the kit.
package struct TestBundle {
  package let path: String
  package var manifestPath: String { "\(path)/unit.yaml" }
  package var libraryPath: String { "\(path)/\(Self.platform)/unit.so" }

  package static let platform: String = {
    var names = utsname()
    uname(&names)
    return withUnsafeBytes(of: &names.machine) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    } + "-linux"
  }()

  /// The text of the manifest.
  package static let manifest = """
    name: Template
    type: aufx
    subtype: tmpl
    manufacturer: Demo
    version: 1.0.0
    tags: [Effects]
    in_process: true
    """

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package struct NotCompiled: Error { public var messages: String }

  /// - Parameters:
  ///   - manifest: changes the manifest's text; nil for none.
  ///   - code: changes the source of the effect; nil for no library.
  package init(
    _ name: String = "Template", in folder: String,
    manifest: ((String) -> String?) = { $0 }, code: ((String) -> String?) = { $0 }
  ) throws {
    path = "\(folder)/\(name).unit"
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(Self.platform)", withIntermediateDirectories: true)
    if let text = manifest(Self.manifest) { try write(manifest: text) }
    if let code = code(try Self.template()) { try compile(code) }
  }

  /// The source of the effect.
  package static func template() throws -> String {
    try String(
      contentsOf: repository.appending(path: "Tests/Fixtures/bare-effect.c"), encoding: .utf8)
  }

  package func write(manifest: String) throws {
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: manifestPath), options: .atomic)
  }

  /// Builds the library again and replaces the file, or if `inPlace`, overwrites it.
  package func compile(_ code: String, inPlace: Bool = false) throws {
    let source = "\(path)/test-unit.c"
    let result = "\(path)/\(Self.platform)/unit.so.new"
    try Data(code.utf8).write(to: URL(fileURLWithPath: source))
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "cc", "-std=c17", "-g", "-shared", "-fPIC", "-I",
      Self.repository.appendingPathComponent("Sources/CUnit/include").path, source, "-o", result,
      "-lm",
    ]
    process.standardError = errors
    try process.run()
    let messages = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw NotCompiled(messages: String(decoding: messages, as: UTF8.self))
    }
    if inPlace {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: result))
      try bytes.write(to: URL(fileURLWithPath: libraryPath))
      try FileManager.default.removeItem(atPath: result)
    } else {
      guard rename(result, libraryPath) == 0 else { throw NotCompiled(messages: "rename") }
    }
    try FileManager.default.removeItem(atPath: source)
  }
}
