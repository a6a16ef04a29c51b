import Documents
import Testing

@testable import RackModel

/// Racks that are created in Swift.
@Suite struct RackValuesTests {
  private static let rack = Rack(
    "Dalek voice",
    inputs: [
      Rack.Port("mic", channels: 1, connect: ["system:capture_1"]),
      Rack.Port("keys", isMIDI: true, connect: ["a2j:one", "a2j:two"]),
    ],
    outputs: [
      Rack.Port(
        "main", connect: ["system:playback_1", "system:playback_2"], ceiling: .level(6)),
      Rack.Port("meter", channels: 1, ceiling: .off),
    ],
    units: [
      Rack.Unit("ring", "aufx/ring/bkln", parameters: ["frequency": "30 Hz", "shape": "sine"]),
      Rack.Unit("crush", "Distortion", preset: "Alien Chatter"),
      Rack.Unit("synth", "aumu/sine/bkln", parameters: ["envelope.attack": "20 ms"]),
    ],
    connections: ["mic -> ring -> crush -> main", "keys -> synth -> main", "ring -> meter"],
    controls: [
      Rack.Control(
        from: "keys cc 1", to: "ring.frequency", range: ["5 Hz", "80 Hz"], curve: .logarithmic)
    ],
    scenes: [Rack.Scene("clean", over: "1 s", ["ring.bypass": "on", "crush.mix": "20 %"])],
    automation: [Rack.Lane("crush.drive", ["12 dB @ 0 s", "36 dB @ bar 5"], curve: .hold)])

  private static let text = """
    rack: Dalek voice
    inputs:
      mic: { channels: 1, connect: "system:capture_1" }
      keys: { midi: true, connect: ["a2j:one", "a2j:two"] }
    outputs:
      main: { connect: ["system:playback_1", "system:playback_2"], ceiling: 6 dB }
      meter: { channels: 1, ceiling: off }
    units:
      ring: { unit: aufx/ring/bkln, parameters: { frequency: 30 Hz, shape: sine } }
      crush: { unit: Distortion, preset: Alien Chatter }
      synth: { unit: aumu/sine/bkln, parameters: { envelope: { attack: 20 ms } } }
    connections:
      - mic -> ring -> crush -> main
      - keys -> synth -> main
      - ring -> meter
    controls:
      - { from: keys cc 1, to: ring.frequency, range: [5 Hz, 80 Hz], curve: log }
    scenes:
      clean: { over: 1 s, ring.bypass: on, crush.mix: 20 % }
    automation:
      crush.drive: { points: [12 dB @ 0 s, 36 dB @ bar 5], curve: hold }
    """

  @Test func valuesSayTheSameAsAFile() throws {
    let (read, problems) = Rack.read(Self.text.utf8, file: "rack.yaml")
    #expect(problems == [])
    #expect(try #require(read).saysTheSame(as: Self.rack))
    let (again, others) = Rack.read(Self.rack.text.utf8, file: "rack.yaml")
    #expect(others == [])
    #expect(try #require(again).saysTheSame(as: Self.rack))
  }

  @Test func valuesAreCheckedAsAFileIs() {
    let checker = RackChecker(catalogue: TestCatalogue.units, folder: "/music") { _ in false }
    var rack = Self.rack
    rack.automation = []
    let (checked, problems) = checker.check(rack)
    #expect(problems == [])
    #expect(checked?.plan.units.map(\.name) == ["ring", "crush", "synth"])
    rack.units[1].preset = "Alien Chater"
    let (playing, warnings) = checker.check(rack)
    #expect(
      warnings.map(\.description) == [
        "Dalek voice: warning: “Distortion” has no preset “Alien Chater”; “backline preset list "
          + "aufx/dist/bkln” lists its presets; the values of the rack play; did you mean “Alien Chatter”?"
      ])
    #expect(playing?.plan.units.map(\.name) == ["ring", "crush", "synth"])
  }

  @Test func aChainHasAnArrow() {
    let text = "mic ring"
    let error = #expect(throws: Refusal.self) { try Rack.Chain(text) }
    #expect(error?.description == "“mic ring” has no arrow; a chain reads mic -> ring -> main")
  }
}
