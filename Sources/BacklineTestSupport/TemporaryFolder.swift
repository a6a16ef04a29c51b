import Foundation

/// A folder of one test's own, gone with it.
package final class TemporaryFolder {
  package let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("backline-\(UUID().uuidString)")

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes bytes and answers the file's path.
  package func write(_ name: String, bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }
}
