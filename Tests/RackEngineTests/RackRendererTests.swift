import AudioUnits
import BacklineTestSupport
import RackEngine
import RackModel
import RackTestSupport
import Testing

@Suite struct RackRendererTests {
  private func plan(_ text: String) throws -> Plan { try TestRacks.plan(text) }

  @Test func blocksGoInAndOut() throws {
    let plan = try plan(
      """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln, parameters: { gain: -6.0206 dB } } }
      connections: [ in -> level -> out ]
      """)
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    let block = try renderer.render(frames: 256, inputs: [[Float](repeating: 0.5, count: 256)])
    #expect(block.count == 1 && block[0].count == 256)
    #expect(block[0].allSatisfy { abs($0 - 0.25) < 1e-4 })
    #expect(renderer.position == 256)

    let level = try #require(renderer.audioUnit(named: "level"))
    try level.setParameter(0, to: 0)
    _ = try renderer.render(frames: 4096)
    let loud = try renderer.render(frames: 64, inputs: [[Float](repeating: 0.5, count: 64)])
    #expect(loud[0].allSatisfy { abs($0 - 0.5) < 1e-4 })
    #expect(renderer.audioUnit(named: "other") == nil)
  }

  /// A player that has reached its end reports that it is off, and a pedal starts it again.
  @Test func whatAUnitSwitchesOffIsOff() throws {
    let folder = try TemporaryFolder()
    let sound = SoundFile.noise(frames: 1000, channels: 1)
    let path = try sound.write(folder.path("once.wav"))
    let plan = try plan(
      """
      rack: Test
      inputs: { feet: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        track:
          unit: augn/play/bkln
          channels: 1
          parameters: { loop: off }
          properties: { file: "\(path)" }
      connections: [ track -> out ]
      controls: [ { from: feet cc 64, to: track.playing, mode: toggle } ]
      """)
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    let track = try #require(renderer.audioUnit(named: "track"))
    let playing = try #require(track.facts.parameter(atKeyPath: "playing", inputBusCount: 0))
    func value() -> Float? { track.parameterValues[playing.address] }
    _ = try renderer.render(frames: 999)
    track.applyRenderChanges()
    #expect(value() == 1)
    _ = try renderer.render(frames: 2)
    track.applyRenderChanges()
    #expect(value() == 0)
    let press = RackRenderer.Message(frame: 100, bytes: [0xB0, 64, 127])
    let again = try renderer.render(frames: 500, messages: [press])[0]
    #expect(firstDifference(again[100...], sound.channels[0].prefix(400)) == nil)
    track.applyRenderChanges()
    #expect(value() == 1)
  }

  @Test func messagesGoInAndOut() throws {
    let plan = try plan(
      """
      rack: Test
      inputs: { keys: { midi: true } }
      outputs: { notes: { midi: true } }
      connections: [ keys -> notes ]
      """)
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    _ = try renderer.render(frames: 100)
    let message = RackRenderer.Message(frame: 30, bytes: [0x90, 60, 100])
    _ = try renderer.render(frames: 100, messages: [message])
    #expect(renderer.sentMessages == [message])
    _ = try renderer.render(frames: 100)
    #expect(renderer.sentMessages.isEmpty)
  }

  /// A rack plays an instrument with a missing part, and reports that part.
  @Test func tellsWhatUnitsLeaveOut() throws {
    let folder = try TemporaryFolder()
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("sine.wav"))
    let text = "<region> sample=gone.wav\n<region> sample=gone.wav\n<region> sample=sine.wav"
    let file = try folder.write("kit.sfz", bytes: Array(text.utf8))
    let plan = try plan(
      """
      rack: Test
      inputs: { keys: { midi: true } }
      outputs: { out: { channels: 2 } }
      units: { kit: { unit: Sampler, properties: { file: \(file) } } }
      connections: [ keys -> kit -> out ]
      """)
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    let warning = try #require(renderer.fileWarnings.first)
    #expect(renderer.fileWarnings.count == 1)
    #expect(warning.hasPrefix("test.yaml:4:52: kit.sfz:1: sample=gone.wav: cannot open "))
    #expect(warning.hasSuffix("(and 1 more)"))
    let block = try renderer.render(
      frames: 512, messages: [RackRenderer.Message(bytes: [0x90, 60, 127])])
    #expect(block[0].contains { abs($0) > 0.3 })

    let kit = try #require(renderer.audioUnit(named: "kit"))
    try kit.setProperty("file", to: folder.path("sine.wav"))
    #expect(renderer.fileWarnings.isEmpty)
  }

  @Test func absurdNumbersAreErrors() throws {
    let plan = try plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 }, notes: { midi: true } }
      connections: [ in -> out, keys -> notes ]
      """)
    for rate in [0, -1, 1e19, Double.nan] {
      #expect(throws: RackError.self) {
        try RackRenderer(plan, catalogue: TestRacks.catalogue, sampleRate: rate)
      }
    }
    #expect(throws: RackError.self) {
      try RackRenderer(plan, catalogue: TestRacks.catalogue, blockFrames: 0)
    }
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    for frames in [0, -1, Int.max] {
      #expect(throws: RackError.self) { try renderer.render(frames: frames) }
    }
    for (port, frame) in [(1, 0), (-1, 0), (0, 64), (0, -1)] {
      #expect(throws: RackError.self) {
        try renderer.render(
          frames: 64, messages: [.init(port: port, frame: frame, bytes: [0x90, 60, 1])])
      }
    }
  }
}
