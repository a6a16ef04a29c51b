import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Controls that arrive through JACK.
  @Suite(.serialized) struct LiveControls {
    @Test func whatAPedalMovesIsKnownToTheControlSide() async throws {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 }, keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        controls:
          - { from: keys cc 7, to: level.gain, range: [0 dB, -20 dB] }
          - { from: keys cc 64, to: level.bypass }
          - { from: keys program 1, to: scene low }
        scenes: { low: { level.gain: -12 dB } }
        """)
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        let unit = try #require(await rig.engine.firstUnit)
        let ones = Signals.constant(1, frames: 9600)
        let take = try await probe.play(
          [ones], frames: 9600, messages: [.init([0xB0, 7, 127], at: 4801)])
        // The change is heard at the frame of the message.
        let sound = take.channels[0]
        let moved = try #require(sound.indices.first { $0 > 1000 && sound[$0] < 0.9999 })
        #expect((4801...4806).contains(moved))
        try await eventually("the value is known") { unit.parameterValue(0) == -20 }
        _ = try await probe.play(
          [ones], frames: 9600,
          messages: [.init([0xC0, 0], at: 17), .init([0xB0, 64, 127], at: 99)])
        try await eventually("the bypass is known") { unit.shouldBypassEffect }
        try await eventually("the scene's value is known") { unit.parameterValue(0) == -12 }
        try await eventually("the scene is told") {
          await rig.log.contains { $0 == .scene("low") }
        }
      }
    }
    /// Keys that are held while the cable or the sending program is removed.
    @Test(arguments: [false, true]) func noNoteOutlivesItsCable(isGone: Bool) async throws {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { keys: { midi: true } }
        outputs: { out: }
        units: { synth: { unit: aumu/sine/bkln } }
        connections: [ keys -> synth -> out ]
        """)
      try await EngineRig.run(plan) { rig in
        var probe: JackProbe? = try rig.probe(plan)
        _ = try await probe?.play(
          [], frames: 4800, messages: [.init([0x90, 60, 100], at: 0)])
        try await eventually("the note sounds") {
          await rig.engine.status().outputs.first.map { $0.peak > 0.01 } ?? false
        }
        #expect(await rig.engine.status().midiInputs.first?.last == "note C4 channel 1: 100")
        if isGone {
          probe = nil
        } else {
          try probe?.disconnect("injector:midi_1", "\(rig.client):keys")
        }
        try await eventually("the note has ended") {
          await rig.engine.status().outputs.first.map { $0.peak < 1e-4 } ?? false
        }
        withExtendedLifetime(probe) {}
      }
    }

    @Test func panicEndsEveryNote() async throws {
      let rack = """
        rack: Test
        inputs: { keys: { midi: true } }
        outputs: { out: }
        units: { synth: { unit: aumu/sine/bkln } }
        connections: [ keys -> synth -> out ]
        controls: [ { from: keys cc 119, to: panic } ]
        """
      try await SessionRig.run(rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        func peak() async -> Float {
          await rig.engine.engine.status().outputs.first?.peak ?? 0
        }
        for isPedal in [false, true] {
          _ = try await probe.play([], frames: 4800, messages: [.init([0x90, 60, 100], at: 0)])
          try await eventually("the note sounds") { await peak() > 0.01 }
          if isPedal {
            _ = try await probe.play([], frames: 480, messages: [.init([0xB0, 119, 127], at: 0)])
          } else {
            #expect(try await rig.engine.engine.panic() == "panic: all notes end")
          }
          try await eventually("the note has ended") { await peak() < 1e-4 }
        }
      }
    }

    /// A knob that is still being turned 200 ms after it was learned.
    @Test func whatIsTurnedWhileItIsLearnedIsNotLost() async throws {
      let rack = """
        rack: Test
        inputs: { in: , keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        """
      try await SessionRig.run(rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        try await rig.perform("learn level.gain --range \"0 dB, -20 dB\"")
        _ = try await probe.play(
          [Signals.constant(1, frames: 10_000)], frames: 10_000,
          messages: [.init([0xB0, 17, 1], at: 0), .init([0xB0, 17, 127], at: 9_600)])
        try await eventually("it is where the knob is") {
          (try? await rig.text(of: "level.gain")) == "-20 dB"
        }
      }
    }

    /// From the knob to the rack that would be saved, and back.
    @Test func aKnobThatIsMovedIsLearned() async throws {
      let rack = """
        rack: Test
        inputs: { in: , far keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        """
      try await SessionRig.run(rack) { rig in
        let session = rig.session
        let probe = try rig.engine.probe(await session.rack.plan)
        var changes = session.events().makeAsyncIterator()
        let error = await #expect(throws: Refusal.self) {
          try await session.perform("learn level.gian")
        }
        #expect(error?.description.contains("did you mean “level.gain”?") == true)
        try await rig.perform("learn level.bypass", "learn")
        #expect(await changes.learned()?.error == "cancelled")
        try await rig.perform("learn level.gain --range \"0 dB, -20 dB\"")
        _ = try await probe.play(
          [Signals.constant(1, frames: 4800)], frames: 4800,
          messages: [.init([0xB4, 17, 3], at: 0), .init([0xB4, 49, 1], at: 1)])
        let learned = await changes.learned()
        #expect(learned?.done == "level.gain follows far keys cc 17/49 channel 5")
        let controls = await session.listing().controls
        #expect(
          controls.map { "\($0)" } == ["far keys cc 17/49 channel 5 -> level.gain, 0 dB to -20 dB"]
        )
        _ = try await probe.play(
          [Signals.constant(1, frames: 4800)], frames: 4800,
          messages: [.init([0xB4, 17, 127], at: 0), .init([0xB4, 49, 127], at: 1)])
        try await eventually("it is moved") {
          (try? await rig.text(of: "level.gain")) == "-20 dB"
        }
        try await rig.perform("undo")
        #expect(await session.listing().controls.isEmpty)
        try await rig.perform("redo", "forget level.gain")
        #expect(await session.rack.plan.controls.isEmpty)
      }
    }

    /// The mode that was learned is reported, and undone with the control.
    @Test(
      arguments: [
        (
          "level.gain", [1, 1, 127],
          "level.gain follows keys cc 17 channel 1; it is an endless encoder (mode twos-complement)"
        ),
        (
          "level.bypass", [127, 0], "level.bypass follows keys cc 17 channel 1; each press switches"
        ),
        (
          "level.bypass", [127],
          "level.bypass follows keys cc 17 channel 1; each of its messages is a press (mode latching)"
        ),
        ("scene low", [127, 0], "scene low follows keys cc 17 channel 1"),
      ] as [(String, [UInt8], String)])
    func whatAControlIsIsUnderstood(target: String, values: [UInt8], text: String) async throws {
      let rack = """
        rack: Test
        inputs: { in: , keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        scenes: { low: { level.gain: -20 dB } }
        """
      try await SessionRig.run(rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        var changes = rig.session.events().makeAsyncIterator()
        try await rig.perform("learn \"\(target)\"")
        _ = try await probe.play(
          [Signals.constant(1, frames: 9600)], frames: 9600,
          messages: values.enumerated().map { .init([0xB0, 17, $1], at: 1000 * $0) })
        #expect(await changes.learned()?.done == text)
      }
    }

    /// Both get their events together, as where other values stream.
    @Test func twoWhoLearnAtOnceAreBothTold() async throws {
      let rack = """
        rack: Test
        inputs: { in: , keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        """
      try await SessionRig.run(rack) { rig in
        var changes = rig.session.events().makeAsyncIterator()
        try await rig.perform("learn level.bypass", "learn level.gain")
        #expect(
          await changes.next()?.learnings
            == [Learning(to: "level.bypass", error: "cancelled"), Learning(to: "level.gain")])
      }
    }
  }
}

extension Engine {
  fileprivate var firstUnit: AudioUnit? { rack?.units.first?.audioUnit }
}
