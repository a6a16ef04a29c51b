import Foundation

/// A small file system of a test's own; only root may mount one.
package final class SmallDisk {
  package let folder: TemporaryFolder
  private let isMounted: Bool

  /// Whether this user can mount a file system.
  package static let isPossible: Bool = (try? SmallDisk(bytes: 65_536))?.isMounted == true

  package init(bytes: Int) throws {
    folder = try TemporaryFolder()
    isMounted = Self.run("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "none", folder.url.path)
  }

  deinit { if isMounted { _ = Self.run("umount", folder.url.path) } }

  private static func run(_ command: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
