import Foundation

/// A folder of one test's own, gone with it.
public final class TemporaryFolder {
  public let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("backline-\(UUID().uuidString)")

  public init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes bytes and answers the file's path.
  public func write(_ name: String, bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }
}
