import Foundation

/// Kills a server if this process ends without having ended it.
///
/// A shell waits until a pipe closes that only this process holds open.
final class DeathGuard {
  private let shell = Process()
  private let pipe = Pipe()

  /// - Parameter name: a text in the server's command line, so that no other process with the same
  ///   identifier is killed.
  init(of server: Process, name: String) throws {
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "read _; grep -qs -e \"$2\" \"/proc/$1/cmdline\" && kill -KILL \"$1\"", "guard",
      "\(server.processIdentifier)", name,
    ]
    // A program that is started meanwhile must not inherit the pipe and keep it open.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    shell.standardInput = pipe
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
  }

  /// Ends the guard; call this once the server has ended.
  func dismiss() {
    try? pipe.fileHandleForWriting.close()
    shell.waitUntilExit()
  }
}
