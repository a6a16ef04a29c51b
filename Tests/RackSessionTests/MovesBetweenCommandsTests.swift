import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Pedals and knobs that move the same parameters as commands.
  @Suite(.serialized) struct MovesBetweenCommands {
    private static let rack = """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln, parameters: { gain: -3 dB } }
        tone: { unit: aufx/lpas/bkln, parameters: { cutoff: 1 kHz } }
      connections: [ in -> level -> tone -> out ]
      controls:
        - { from: keys cc 64, to: level.bypass }
        - { from: keys cc 74, to: tone.cutoff, range: [200 Hz, 10 kHz] }
      scenes: { far: { level.gain: -30 dB, tone.bypass: on, over: 100 ms } }
      """

    private func press(_ probe: JackProbe, _ controller: UInt8, _ value: UInt8) async throws {
      _ = try await probe.play(
        [Signals.constant(0, frames: 512)], frames: 512,
        messages: [.init([0xB0, controller, value], at: 17)])
    }

    /// The pedal may have been pressed just before.
    @Test func whatAPedalHasDoneIsWhatACommandFindsAndIsTold() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let changes = rig.session.events()
        for turn in 0..<8 {
          let isOn = turn % 2 == 0
          try await press(probe, 64, isOn ? 127 : 0)
          try await rig.perform("set level.bypass \(isOn ? "on" : "off")")
          await #expect(throws: Refusal.self) { try await rig.perform("undo") }
        }
        try await press(probe, 64, 127)
        var readings = changes.makeAsyncIterator()
        while let change = await readings.next() {
          if change.readings.contains(where: { $0.parameter == "level.bypass" && $0.value == 1 }) {
            break
          }
        }
        try await eventually("it is shown") {
          await rig.engine.engine.status().units.first?.isBypassed == true
        }
      }
    }

    @Test func aKnobEndsARampAndARenamedUnitsGoesOn() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        try await rig.perform("ramp tone.cutoff 300 Hz --over 2 s")
        try await press(probe, 74, 127)
        try await eventually("the ramp is over") { await rig.session.ramps.all.isEmpty }
        #expect(try await rig.text(of: "tone.cutoff") == "10 kHz")
        try await rig.perform("ramp tone.cutoff 300 Hz --over 1 s", "rename tone dull")
        try await eventually("the ramp is over") { await rig.session.ramps.all.isEmpty }
        try await eventually("it has arrived") {
          (try? await rig.text(of: "dull.cutoff")) == "300 Hz"
        }
      }
    }

    /// No move in progress overrides the values of another rack, and moves made meanwhile do not outlast
    /// it.
    @Test func anotherRackPlaysAsItIsWrittenAndGoesAsItCame() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let first = await rig.session.rack
        for turn in 0..<5 {
          try await rig.perform("ramp tone.cutoff 5 kHz --over 2 s")
          try await Task.sleep(for: .milliseconds(100 + 13 * turn))
          try await rig.session.load(first, title: "load")
          try await Task.sleep(for: .milliseconds(150))
          #expect(try await rig.text(of: "tone.cutoff") == "1 kHz")
        }
        try await rig.perform("set tone.cutoff 2 kHz")
        try await rig.session.load(first, title: "load")
        try await press(probe, 74, 0)
        #expect(try await rig.text(of: "tone.cutoff") == "200 Hz")
        try await rig.perform("undo")
        #expect(try await rig.text(of: "tone.cutoff") == "2 kHz")
      }
    }

    /// A saved file changes exactly the parameters whose text differs.
    @Test func whatTheFileDoesNotChangeStays() async throws {
      try await SessionRig.run(Self.rack) { rig in
        func saved(_ changes: [(String, String)]) throws -> CheckedRack {
          let text = changes.reduce(Self.rack) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
          let (rack, diagnostics) = TestRacks.checker(folder: TestRacks.folder.path)
            .open(Array(text.utf8), file: "test.yaml")
          return try #require(rack, "\(diagnostics)")
        }
        try await rig.perform("set tone.resonance 3 dB", "set level.bypass on")
        try await rig.session.follow(try saved([("1 kHz", "4 kHz"), ("-3 dB", "-5 dB")]))
        #expect(try await rig.text(of: "tone.cutoff") == "4 kHz")
        #expect(try await rig.text(of: "tone.resonance") == "3 dB")
        #expect(try await rig.text(of: "level.gain") == "-5 dB")
        #expect(try await rig.text(of: "level.bypass") == "on")
        await #expect(throws: Refusal.self) {
          try await rig.session.follow(try saved([("tone -> out ]", "tone ]")]))
        }
        try await rig.perform("load tape-echo")
        try await rig.session.follow(try saved([("1 kHz", "6 kHz")]))
        #expect(await rig.session.rack.plan.name == "Tape echo")
      }
    }

    /// Values that are set without a server hold, also in units that are created meanwhile.
    @Test func whatIsSetWithoutAServerIsHeardAtTheNext() async throws {
      try await SessionRig.run(Self.rack) { rig in
        try await rig.engine.changeServers {
          try await rig.perform(
            "add low Gain --into \"tone -> out\"", "set low.gain -40 dB", "set low.bypass on",
            "scene far")
        }
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let ones = Signals.constant(1, frames: 48_000)
        let heard = try await probe.play([ones], frames: ones.count).channels[0]
        let level = Float(pow(10, -30.0 / 20))
        #expect(abs((heard.last ?? 0) - level) < 1e-4)
        try await rig.perform("set low.bypass off")
        let lower = try await probe.play([ones], frames: ones.count).channels[0]
        #expect(abs((lower.last ?? 0) - level / 100) < 1e-5)
      }
    }

    /// The rack has feedback and follows JACK's cycles; its tails are heard in a rack without feedback.
    @Test func whatSpillsOutOfALoopIsHeard() async throws {
      let loop = """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units:
          level: { unit: aufx/gain/bkln }
          echo: { unit: aufx/dely/bkln, spill: true, parameters: { time: 500 ms, mix: 100 % } }
          back: { unit: aufx/gain/bkln, parameters: { gain: -60 dB } }
        connections: [ in -> level -> echo -> out, echo -> back, back ~> level ]
        """
      try await SessionRig.run(loop) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let ones = Signals.constant(0.5, frames: 24_000)
        _ = try await probe.play([ones], frames: ones.count)
        try await rig.perform("remove back", "remove echo")
        let silence = Signals.constant(0, frames: 9600)
        let heard = try await probe.play([silence], frames: silence.count).channels[0]
        #expect((heard.map(abs).max() ?? 0) > 0.1)
        try await rig.perform("undo", "undo")
        #expect(await rig.session.listing().connections.count == 3)
      }
    }
  }
}
