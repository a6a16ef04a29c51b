import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The same program, joined to PipeWire by the libjack that comes with it.
  @Suite(.enabled(if: PipeWireServer.isInstalled, "PipeWire is not installed")) struct PipeWire {
    /// Plays a tone into the sink, and brings what one of its monitors gives, at half, to a port.
    private func writeRack(in folder: TemporaryFolder) throws -> String {
      let tone = try SoundFile.sine(1000, frames: 48_000, channels: 1).write(
        folder.path("tone.wav"))
      return try folder.write(
        "pipe.yaml",
        bytes: Array(
          """
          rack: Pipe
          inputs: { in: { channels: 1, connect: "speakers:monitor_FL" } }
          outputs:
            tone: { channels: 2, connect: ["speakers:playback_FL", "speakers:playback_FR"] }
            out: { channels: 1 }
          units:
            file: { unit: augn/play/bkln, properties: { file: \(tone) } }
            half: { unit: aufx/gain/bkln, parameters: { gain: -6.0206 dB } }
          connections: [ file -> tone, in -> half -> out ]
          """.utf8))
    }

    private func ctl(_ arguments: String...) throws -> String {
      let program = try Program(["ctl"] + arguments + ["--rack", "Pipe"])
      let status = program.waitForEnd()
      #expect(status == 0, "\(arguments): \(program.errors)")
      return program.output
    }

    /// Waits until the sound has gone its way: the tone's level within a tenth of a decibel at each end.
    private func hear(from program: Program) async throws {
      try await eventually("the tone is heard") {
        try #require(program.isRunning, "\(program.errors)")
        return try ctl("meters", "--once")
          .hasPrefix("in -6.0   tone_1 -6.0   tone_2 -6.0   out -12.0")
      }
    }

    @Test(.timeLimit(.minutes(10))) func aRackPlaysAndIsBackWhenPipeWireIs() async throws {
      let folder = try TemporaryFolder()
      let server = try PipeWireServer()
      let program = try Program(["run", try writeRack(in: folder)], wrapper: server.wrapper)
      defer {
        program.send(SIGKILL)
        _ = program.waitForEnd()
        server.stop()
      }
      for wish in ["in to speakers:monitor_FL", "tone_1 to speakers:playback_FL"] {
        try await program.waitForOutput("connected Pipe:\(wish)")
      }
      try await hear(from: program)
      #expect(try ctl("set", "half.gain", "-6.0206 dB").hasPrefix("half: Gain"))
      server.stop()
      try await program.waitForOutput("the JACK server ended")
      try server.start()
      try await program.waitForOutput("the JACK server is back")
      try await hear(from: program)
      program.send(SIGINT)
      #expect(program.waitForEnd() == 0)
    }
  }
}
