import Foundation

/// A temporary folder, which is deleted with this object.
package final class TemporaryFolder {
  package let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("backline-\(UUID().uuidString)")

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes bytes into a file; returns its path.
  package func write(_ name: String, bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  package struct NotCompiled: Error {}

  /// Compiles C code into a shared library; returns its path.
  package func compile(_ code: String) throws -> String {
    let (source, library) = (try write("library.c", bytes: Array(code.utf8)), path("library.so"))
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["cc", "-shared", "-fPIC", source, "-o", library]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw NotCompiled() }
    return library
  }
}
