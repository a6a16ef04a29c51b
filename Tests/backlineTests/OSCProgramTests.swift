import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A rack that listens to OSC, with liblo's tools as peers.
  @Suite(.serialized) struct OSCPrograms {
    private func run(_ tool: String, _ arguments: String...) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [tool] + arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }

    @Test func anotherProgramPlaysIt() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      try await Rig.run("run", rack, "--osc", "0") { rig in
        try await rig.program.waitForOutput("OSC at osc.udp://127.0.0.1:")
        try await rig.program.waitForOutput("ready: ")
        let output = rig.program.output
        let port = String(
          try #require(output.firstMatch(of: /127\.0\.0\.1:(\d+)\//)).output.1)
        #expect(try run("oscsend", "localhost", port, "/level/gain", "f", "-12") == 0)
        try await hears("-12 dB")
        #expect(try run("oscsend", "localhost", port, "/{level,x}/g*", "s", "-6 dB") == 0)
        try await hears("-6 dB")
        #expect(try run("oscsend", "localhost", port, "/undo") == 0)
        try await hears("0 dB")
        #expect(try run("oscsend", "localhost", port, "/levl/gain", "f", "-12") == 0)
        try await rig.program.waitForOutput("did you mean “/level/gain”?")
        // A second program cannot have the port; its rack plays without OSC.
        let other = try Program(
          ["run", rack, "--osc", port, "--server-name", rig.server.name])
        defer { other.send(SIGTERM) }
        try await other.waitForOutput("ready: ")
        try await other.waitForOutput(
          "warning: OSC cannot control this rack: 127.0.0.1:\(port): Address already in use;"
            + " give --osc another port, or 0 for any that is free\n")
        other.send(SIGTERM)
        #expect(other.waitForEnd() == 0)
      }
      let wrong = try Program.run("run", rack, "--osc", "here")
      #expect(wrong.status == 64 && wrong.errors.contains("--osc takes a port"))
    }

    private func hears(_ text: String) async throws {
      try await eventually("the gain is \(text)") {
        try Program.run("ctl", "get", "level.gain").output == "\(text)\n"
      }
    }
  }
}
