import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import JackIO
import RackEngine
import RackFiles
import RackModel
import RackStage
import Testing

/// The examples of AudioUnits.docc/PlayARackFromSwift.md, compiled and run.
@Suite struct RackArticleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func renderARackFile() throws {
    let path = folder.path("tone.yaml")
    try Data(
      """
      rack: Tone
      outputs: { main: { channels: 2 } }
      units: { tone: { unit: aumu/sine/bkln } }
      connections: [tone -> main]
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let file = folder.path("tone.wav")

    let rack = try Rack.load(path)

    var job = OfflineJob()
    job.outputs = ["main": file]
    job.length = 1
    let renderer = try OfflineRenderer(rack.plan, catalogue: .shared, job: job)
    _ = try renderer.render()
    #expect(FileManager.default.fileExists(atPath: file))

    do {
      let renderer = try RackRenderer(rack.plan)
      let block = try renderer.render(frames: 256)
      #expect(block.count == 2 && block[0].count == 256)
    }

    try Data("rack: Tone\nunits: { a: { unit: Nothing } }\n".utf8)
      .write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: RackError.self) { try Rack.load(path) }
    #expect(error?.description.contains("\(path):2:") == true)
  }
}

extension JackTests {
  @Suite(.serialized) struct StageArticle {
    /// A stage that is released leaves JACK, and its server ends, before the next starts.
    @Test func aStageThatIsDroppedEnds() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      var options = Stage.Options()
      (options.server, options.serverOptions.name) = (.dummy, "backline-own")
      let rack = try Rack(
        "Tone", outputs: [Rack.Port("main", channels: 2)],
        units: [Rack.Unit("tone", "aumu/sine/bkln")],
        connections: ["tone -> main"]
      ).checked()
      var stage: Stage? = try await Stage.start(rack, options: options)
      let events = try #require(stage?.engine.events)
      stage = nil
      for await _ in events {}
      let next = try await Stage.start(rack, options: options)
      #expect(await !next.session.status().serverIsAway)
      await next.stop()
    }

    @Test func playOneUnit() async throws {
      let folder = try TemporaryFolder()
      let file = try SoundFile.noise(frames: 4800, channels: 1).write(folder.path("loop.wav"))
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      var options = Stage.Options()
      options.serverOptions.name = server.name

      let speakers = ["system:playback_1", "system:playback_2"]
      let rack = Rack(
        "Echo", outputs: [Rack.Port("main", channels: 2, connect: speakers)],
        units: [
          Rack.Unit("player", "augn/play/bkln", properties: ["file": file]),
          Rack.Unit("fx", "aufx/dely/bkln"),
          Rack.Unit("tone", "aumu/sine/bkln"),
        ],
        connections: ["player -> fx -> main", "tone -> main"])
      let stage = try await Stage.start(rack.checked(), options: options)
      try await stage.session.set("fx.mix", 30)
      try await stage.session.send(midi: [0x90, 60, 100], to: "tone")

      #expect(try await stage.session.reading(of: "fx.mix").text == "30 %")
      try await eventually("the note is heard") {
        let status = await stage.session.status()
        return status.units.first { $0.name == "tone" }.map { $0.peak > 0.01 } ?? false
      }
      await #expect(throws: Refusal.self) { try await stage.session.set("fx.mux", 0.3) }
      await #expect(throws: Refusal.self) {
        try await stage.session.send(midi: [0x90, 60, 100], to: "nobody")
      }
      await stage.stop()
      #expect(throws: RackError.self) {
        try Rack("Wrong", units: [Rack.Unit("a", "Nothing")], connections: ["a -> b"]).checked()
      }
    }
  }
}
