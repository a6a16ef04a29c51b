import AudioUnits
import BacklineTestSupport
import Foundation
import RackFiles
import RackModel
import RackTestSupport
import Testing
import UnitModel

@testable import RackEngine

/// The expected output of a processor while a key is held from frame 0 on, at 133 beats a minute.
private struct TimedProcessor: Sendable {
  let unit: String
  let settings: String
  /// The distances of the messages from the exact times, and the tolerance, frames.
  let errors: @Sendable (_ sent: [RackRenderer.Message], _ rate: Double) -> [Double]
  /// The nearest frame to a time is at most half a frame off; a processor that counts from such a frame, or
  /// uses the next whole frame, is at most a whole frame off.
  var tolerance = 0.502

  static let beat = 60.0 / 133
  static let length = 0.4

  /// Returns the errors of the messages that `matches` selects, which are expected at `times`, as many as
  /// lie before the end.
  static func at(
    _ times: @escaping @Sendable (Int) -> Double,
    where matches: @escaping @Sendable ([UInt8]) -> Bool = { $0[0] == 0x90 }
  ) -> @Sendable ([RackRenderer.Message], Double) -> [Double] {
    { sent, rate in
      let frames = sent.filter { matches($0.bytes) }.map { Double($0.frame) }
      let expected = (0...).lazy.map { times($0) * rate }.prefix {
        $0 < (length * rate).rounded() - 1
      }
      guard frames.count == expected.count else { return [.infinity] }
      return zip(frames, expected).map { abs($0 - $1) }
    }
  }

  static let all: [String: TimedProcessor] = [
    "clock": .init(
      unit: "MIDI Clock", settings: "ratio: 1",
      errors: { sent, rate in
        let ticks = sent.filter { $0.bytes == [0xF8] }
        // The first tick waits until the other machine is ready.
        guard ticks.first?.frame == Int((0.001 * rate).rounded(.up)) else { return [.infinity] }
        return at({ Double($0 + 1) * beat / 24 }, where: { _ in true })(
          Array(ticks.dropFirst()), rate)
      }),
    "echo": .init(
      unit: "MIDI Echo", settings: "time: 90 ms, taps: 8, velocity: 100 %",
      errors: at { 0.09 * Double($0) }),
    "arp": .init(
      unit: "Arpeggiator", settings: "rate: 0.25", errors: at { Double($0) * beat / 4 },
      tolerance: 1),
    "steps": .init(
      unit: "Step Sequencer", settings: "play: With Transport",
      errors: at { Double($0) * beat / 4 }),
    // Three notes in 200 ms.
    "chord": .init(
      unit: "Chord", settings: "strum: 200 ms",
      errors: at { $0 < 3 ? 0.1 * Double($0) : 1 }),
    "human": .init(
      unit: "Humanise", settings: "timing: 50 ms, length: 123 ms",
      errors: { sent, rate in
        guard sent.count == 2 else { return [.infinity] }
        return [abs(Double(sent[1].frame - sent[0].frame) - 0.123 * rate)]
      }),
    // The value of the sine at its frame, in steps of its own size.
    "lfo": .init(
      unit: "MIDI LFO", settings: "rate: 3 Hz",
      errors: { sent, rate in
        let values = sent.filter { $0.bytes[0] == 0xB0 }
        guard (100...Int(750 * length) + 1).contains(values.count) else { return [.infinity] }
        return values.map {
          let exact = 63.5 + 63.5 * sin(6 * .pi * Double($0.frame) / rate)
          return abs(Double($0.bytes[2]) - exact)
        }
      }),
  ]

  /// Returns a rack of all processors, each with its own MIDI output.
  static func rack(place: String = "") -> String {
    rack(units: all.map { "\($0): { unit: \($1.unit), parameters: { \($1.settings) }\(place) }" }) {
      "keys -> \($0) -> \($0) out"
    }
  }

  /// A rack around a rack file with all processors.
  static let outerRack = rack(units: ["all: { unit: ./inner.yaml }"]) {
    "all.\($0) out -> \($0) out"
  }
  .replacing("connections:", with: "connections:\n  - keys -> all")

  private static func rack(units: [String], _ connection: (String) -> String) -> String {
    let names = all.keys.sorted()
    return """
      rack: Times
      tempo: 133
      inputs: { keys: { midi: true } }
      outputs: { \(names.map { "\($0) out: { midi: true }" }.joined(separator: ", ")) }
      units:
      \(units.map { "  \($0)" }.joined(separator: "\n"))
      connections:
      \(names.map { "  - \(connection($0))" }.joined(separator: "\n"))
      """
  }
}

/// Every MIDI processor with times keeps them to the frame, at any sample rate, in blocks of any length, in
/// any process.
@Suite struct MIDITimeTests {
  private func expectExact(
    _ plan: Plan, rate: Int, block: Int, catalogue: ComponentCatalogue = TestRacks.catalogue
  ) throws {
    let renderer = try RackRenderer(
      plan, catalogue: catalogue, sampleRate: Double(rate), blockFrames: block)
    var sent: [RackRenderer.Message] = []
    let frames = Int((TimedProcessor.length * Double(rate)).rounded())
    while renderer.position < frames {
      let start = renderer.position
      _ = try renderer.render(
        frames: min(block, frames - start),
        messages: start == 0 ? [.init(bytes: [0x90, 60, 100])] : [])
      sent += renderer.sentMessages.map {
        .init(port: $0.port, frame: $0.frame + start, bytes: $0.bytes)
      }
    }
    #expect(renderer.lostEvents == 0 && renderer.absentUnits.isEmpty)
    for (port, output) in plan.midiOutputs.enumerated() {
      let processor = try #require(TimedProcessor.all[String(output.name.dropLast(4))])
      let errors = processor.errors(sent.filter { $0.port == port }, Double(rate))
      let worst = errors.max() ?? .infinity
      #expect(
        worst <= processor.tolerance,
        "\(processor.unit) at \(rate) Hz in blocks of \(block) is \(worst) frames off")
    }
  }

  @Test(
    arguments: [22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000],
    [1, 7, 64, 441, 512, 1024, 4096])
  func messagesComeAtTheirExactTimes(rate: Int, block: Int) throws {
    try expectExact(try TestRacks.plan(TimedProcessor.rack()), rate: rate, block: block)
  }

  @Test(arguments: [22_050, 44_100, 192_000])
  func inAnotherProcessAsWell(rate: Int) throws {
    let plan = try TestRacks.plan(TimedProcessor.rack(place: ", process: group times-\(rate)"))
    try expectExact(plan, rate: rate, block: 441)
  }

  @Test(arguments: [22_050, 44_100, 192_000], [64, 4096])
  func inARackWithinARackAsWell(rate: Int, block: Int) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("inner.yaml", bytes: Array(TimedProcessor.rack().utf8))
    let catalogue = ComponentCatalogue()
    catalogue.includeRacks()
    _ = try folder.write("outer.yaml", bytes: Array(TimedProcessor.outerRack.utf8))
    let (rack, diagnostics) = RackLoader.load(folder.path("outer.yaml"), catalogue: catalogue)
    let plan = try #require(rack, "\(diagnostics)").plan
    try expectExact(plan, rate: rate, block: block, catalogue: catalogue)
  }

  /// The table above contains every processor with times.
  @Test func allOfThemAreTried() {
    let times: Set<ParameterUnit> = [
      .seconds, .milliseconds, .hertz, .beats, .beatsPerMinute, .sampleFrames,
    ]
    let processors = TestRacks.catalogue.components {
      $0.component.type == .midiProcessor && $0.bundle == nil
        && $0.facts.allParameters(inputBusCount: 0).contains { times.contains($0.info.unit) }
    }
    #expect(Set(processors.map(\.name)) == Set(TimedProcessor.all.values.map(\.unit)))
  }
}

extension JackTests {
  @Suite(.serialized) struct JackMIDITimeTests {
    /// A key that is echoed after 90 ms, again and again.
    @Test(arguments: [(22_050, 64), (44_100, 512), (96_000, 441)])
    func aLiveEchoKeepsItsTimeAtAnyRate(rate: Int, period: Int) async throws {
      let plan = try TestRacks.plan(
        """
        rack: Echo
        inputs: { keys: { midi: true } }
        outputs: { out: { midi: true } }
        units: { echo: { unit: MIDI Echo, parameters: { time: 90 ms, taps: 3, velocity: 100 % } } }
        connections: [ keys -> echo -> out ]
        """)
      try await EngineRig.run(plan, period: period, rate: rate) { rig in
        let probe = try rig.probe(plan)
        let recording = try await probe.play(
          [], frames: rate / 2,
          messages: [.init([0x90, 60, 100], at: 100), .init([0x80, 60, 0], at: 200)])
        let starts = recording.messages.filter { $0.bytes[0] == 0x90 }.map(\.frame)
        let expected = (0...3).map { 100 + Int((0.09 * Double($0 * rate)).rounded()) }
        #expect(starts == expected)
      }
    }
  }
}
