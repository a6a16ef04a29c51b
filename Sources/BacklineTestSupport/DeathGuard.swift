import Foundation

/// Kills a server when this process ends before it has ended the server, however it ends.
///
/// A shell waits for the end of a pipe that only this process can write to.
final class DeathGuard {
  private let shell = Process()
  private let pipe = Pipe()

  /// `name` must be in the server's command line, so that no other process of its number is hit.
  init(of server: Process, name: String) throws {
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "read _; grep -qs -e \"$2\" \"/proc/$1/cmdline\" && kill -KILL \"$1\"", "guard",
      "\(server.processIdentifier)", name,
    ]
    // Another program that is started meanwhile would keep it open.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    shell.standardInput = pipe
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
  }

  /// Once the server has ended.
  func dismiss() {
    try? pipe.fileHandleForWriting.close()
    shell.waitUntilExit()
  }
}
