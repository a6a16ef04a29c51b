import Foundation

/// The program jack_transport, controlled by lines of text; "master" makes it the timebase master.
package final class JackTransport: Sendable {
  private let process = Process()
  private let input = Pipe()

  package init(server: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["jack_transport"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1"]) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Sends commands: "tempo 97", "master", "play", "stop", "locate 4800".
  package func tell(_ commands: String...) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(commands.map { "\($0)\n" }.joined().utf8))
  }

  package func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
