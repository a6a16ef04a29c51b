import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Plug-ins in a rack that plays.
  @Suite(.serialized) struct LivePlugIns {
    /// A mono one, which gets the drum loop's two channels as one.
    @Test func aMonoPlugInIsPlayed() async throws {
      let folder = try TemporaryFolder()
      try await Rig.run(
        "play", "lv2:http://lv2plug.in/plugins/eg-amp",
        wrapper: ["LV2_PATH=/usr/lib/lv2", "XDG_CACHE_HOME=\(folder.path("cache"))"]
      ) { rig in
        try await rig.program.waitForOutput("ready: Simple Amplifier")
        try rig.probe.connect("Simple Amplifier:main", "capturer:in_1")
        let heard = try await rig.probe.play([Signals.constant(0, frames: 48_000)], frames: 48_000)
        #expect(heard.channels[0].map(\.magnitude).max() ?? 0 > 0.1)
      }
    }

    /// That of Tests/Fixtures/plug-ins: no reset helps once it is broken.
    @Test func aPlugInThatStaysBrokenIsMadeAnew() async throws {
      let folder = try TemporaryFolder()
      let source = URL(filePath: #filePath).appending(path: "../../Fixtures/plug-ins/latch.lv2")
        .standardized
      try FileManager.default.createDirectory(
        atPath: folder.path("lv2"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: source.path, toPath: folder.path("lv2/latch.lv2"))
      let build = try WritingAUnitTests.shell(
        "cc -shared -fPIC -o lv2/latch.lv2/latch.so lv2/latch.lv2/latch.c", in: folder)
      #expect(build.status == 0, "\(build.errors)")
      let noise = Signals.noise(frames: 48_000)
      let file = try SoundFile(sampleRate: 48_000, channels: [noise]).write(folder.path("n.wav"))
      let rack = try folder.write(
        "latch.yaml",
        bytes: Array(
          """
          rack: Latch
          outputs: { out: { channels: 1 } }
          units:
            noise: { unit: Player, channels: 1, properties: { file: \(file) } }
            latch: { unit: "lv2:urn:test:latch" }
          connections: [ noise -> latch -> out ]
          """.utf8))
      try await Rig.run(
        "run", rack,
        wrapper: ["LV2_PATH=\(folder.path("lv2"))", "XDG_CACHE_HOME=\(folder.path("cache"))"]
      ) { rig in
        func ctl(_ words: String...) throws -> String {
          let program = try Program(["ctl", "--rack", "Latch"] + words)
          _ = program.waitForEnd()
          return program.output
        }
        func isHeard() throws -> Bool {
          struct Status: Decodable {
            struct Port: Decodable { var peak: Float }
            var outputs: [Port]
          }
          let status = Data(try ctl("status", "--json").utf8)
          return try JSONDecoder().decode(Status.self, from: status).outputs[0].peak > 0.01
        }
        func wait(untilHeard isWanted: Bool) async throws {
          for _ in 0..<100 where try isHeard() != isWanted {
            try await Task.sleep(for: .milliseconds(100))
          }
          #expect(try isHeard() == isWanted)
        }
        try await rig.program.waitForOutput("ready: ")
        try await wait(untilHeard: true)
        _ = try ctl("set", "latch.break", "1")
        _ = try ctl("set", "latch.break", "0")
        try await rig.program.waitForOutput("it produced NaN or infinity for a second")
        try await wait(untilHeard: true)
      }
    }
  }
}
