import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import JackIO
@testable import RackEngine

extension JackTests {
  /// Replacing a rack by another while it plays.
  @Suite(.serialized) struct LiveReplace {
    private let frames = 96_000

    private func plan(_ units: String, _ connections: String...) throws -> Plan {
      try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units:
        \(units.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        connections:
        \(connections.map { "  - \($0)" }.joined(separator: "\n"))
        """)
    }

    private let level = "level: { unit: aufx/gain/bkln }"

    /// The delay of half a period of 100 Hz inverts the tone, so that a hard cut would be loud.
    private let upsideDown =
      "turn: { unit: aufx/dely/bkln, "
      + "parameters: { time: 5 ms, feedback: 0 %, tone: 20 kHz, mix: 100 % } }"

    private func tone() -> [Float] { Signals.sine(frequency: 100, amplitude: 0.5, frames: frames) }

    /// The largest step of the tone, plus that of a fade to its inverse in 20 ms.
    private let noClick = Float(0.5 * 2 * Double.pi * 100 / 48_000 + 1.0 / 960 * 1.2)

    /// Plays the tone through the first plan, and after a while calls `change`.
    private func hear(
      _ rig: EngineRig, _ probe: JackProbe,
      _ change: @escaping @Sendable (Engine) async throws -> Void
    ) async throws -> [Float] {
      try await probe.play([tone()], frames: frames, after: 24_000) { [engine = rig.engine] in
        try await change(engine)
      }.channels[0]
    }

    @Test func withAnotherChainWithoutAClick() async throws {
      let first = try plan(level, "in -> level -> out")
      let second = try plan(upsideDown, "in -> turn -> out")
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { try await $0.replace(with: second) }
        let tone = tone()
        #expect(firstDifference(heard[..<9600], tone[..<9600]) == nil)
        let end = (90_000..<96_000)
        #expect(!end.contains { abs(heard[$0] - tone[$0 - 240]) > 1e-4 })
        #expect(Signals.largestStep(heard) < noClick)
        #expect(await rig.engine.status().units.map(\.name) == ["turn"])
        try await eventually("both are told") {
          await rig.log.events.filter { $0 == .playing(rack: "Test") }.count == 2
        }
      }
    }

    /// Replacing a unit by an equal one, as when its code is rebuilt, is inaudible.
    @Test(arguments: [false, true]) func withAUnitThatDoesTheSameUnheard(isTone: Bool) async throws
    {
      let first = try plan(level, "in -> level -> out")
      let second = try plan(
        "other: { unit: aufx/gain/bkln }\nmore: { unit: aufx/gain/bkln }",
        "in -> other -> more -> out")
      let signal = isTone ? tone() : Signals.constant(0.5, frames: frames)
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await probe.play([signal], frames: frames, after: 24_000) {
          [engine = rig.engine] in
          try await engine.replace(with: second)
        }.channels[0]
        #expect(!heard.indices.contains { abs(heard[$0] - signal[$0]) > 1e-5 })
        #expect(await rig.engine.status().units.map(\.name) == ["other", "more"])
      }
    }

    /// Units that both racks have continue: an echo that started in one is heard in the other.
    @Test func whatStaysKeepsItsSound() async throws {
      let echo =
        "echo: { unit: aufx/dely/bkln, parameters: "
        + "{ time: 1 s, feedback: 0 %, tone: 20 kHz, mix: 100 % } }"
      let first = try plan(echo, "in -> echo -> out")
      let second = try plan("\(echo)\n\(level)", "in -> echo -> out", "in -> level")
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { try await $0.replace(with: second) }
        #expect(firstDifference(heard[48_000...], tone()[..<48_000]) == nil)
      }
    }

    @Test func otherParametersAreRamped() async throws {
      let first = try plan(level, "in -> level -> out")
      let second = try plan(
        "level: { unit: aufx/gain/bkln, parameters: { gain: -12 dB } }", "in -> level -> out")
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { try await $0.replace(with: second) }
        let (factor, tone) = (Float(pow(10, -0.6)), tone())
        #expect(!(90_000..<96_000).contains { abs(heard[$0] - factor * tone[$0]) > 1e-5 })
        #expect(firstDifference(heard[..<9600], tone[..<9600]) == nil)
        #expect(Signals.largestStep(heard) < 0.5 * (2 * .pi * 100 / 48_000) + 0.01)
      }
    }

    @Test func withOtherPorts() async throws {
      let first = try plan(level, "in -> level -> out")
      let second = try TestRacks.plan(
        """
        rack: Other
        inputs: { in: { channels: 1 }, keys: { midi: true } }
        outputs: { left: { channels: 1 }, right: { channels: 1 } }
        units: { synth: { unit: aumu/sine/bkln, channels: 1 } }
        connections: [ in -> left, keys -> synth -> right ]
        """)
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { try await $0.replace(with: second) }
        #expect(Signals.largestStep(heard) < noClick)
        #expect(!heard[90_000...].contains { $0 != 0 })
        try await eventually("the ports are the new rack's") {
          probe.ports.filter { $0.hasPrefix("Test:") }.sorted()
            == ["Test:in", "Test:keys", "Test:left", "Test:right"]
        }
        // Ports that both racks have stay connected.
        try probe.connect("Test:left", "capturer:in_1")
        let noise = Signals.noise(frames: 9600)
        let through = try await probe.play([noise], frames: 9600).channels
        #expect(firstDifference(through, [noise]) == nil)
        let status = await rig.engine.status()
        #expect(status.rack == "Other" && status.outputs.map(\.name) == ["left", "right"])
      }
    }

    @Test func anotherUnitKeepsThePortsConnections() async throws {
      let first = try plan(level, "in -> level -> out")
      let second = try plan("level: { unit: aufx/ring/bkln }", "in -> level -> out")
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let connections = ["in": ["injector:out_1"], "out": ["capturer:in_1"]]
        #expect(try await rig.engine.connections() == connections)
        try await rig.engine.replace(with: second)
        #expect(try await rig.engine.connections() == connections)
        withExtendedLifetime(probe) {}
      }
    }

    @Test func aWrongOneChangesNothing() async throws {
      let first = try plan(level, "in -> level -> out")
      var wrong = try plan(
        "drums: { unit: augn/play/bkln, properties: { file: sounds/drum-loop.flac }, channels: 1 }\n"
          + level, "drums -> level -> out", "in -> level")
      wrong.units[0].properties[0].value = "/nowhere/loop.wav"
      try await EngineRig.run(first) { [wrong] rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { engine in
          let error = await #expect(throws: RackError.self) {
            try await engine.replace(with: wrong)
          }
          #expect(error?.description.contains("/nowhere/loop.wav") == true)
        }
        #expect(firstDifference(heard, tone()) == nil)
        #expect(await rig.engine.status().units.map(\.name) == ["level"])
      }
    }

    /// Returns a plan whose input and output have swapped names.
    private func swapped(_ more: String = "") throws -> Plan {
      try TestRacks.plan(
        """
        rack: Test
        inputs: { out: { channels: 1 } }
        outputs: { in: { channels: 1 }\(more) }
        units: { level: { unit: aufx/gain/bkln, parameters: { gain: -12 dB } } }
        connections: [ out -> level -> in ]
        """)
    }

    @Test func portNamesMayBeSwapped() async throws {
      let first = try plan(level, "in -> level -> out")
      let second = try swapped()
      try await EngineRig.run(first) { rig in
        try await rig.engine.replace(with: second)
        let probe = try rig.probe(second)
        let noise = Signals.noise(frames: 9600)
        _ = try await probe.play([noise], frames: 9600)
        let heard = try await probe.play([noise], frames: 9600).channels[0]
        let factor = Float(pow(10, -0.6))
        #expect(!zip(heard, noise).contains { abs($0 - factor * $1) > 1e-5 })
      }
    }

    /// JACK refuses a name of this length.
    @Test(arguments: [false, true]) func portsThatJackRefusesChangeNothing(
      swaps: Bool
    ) async throws {
      let first = try plan(level, "in -> level -> out")
      var wrong =
        try swaps
        ? swapped(", more: { channels: 1 }")
        : plan(
          "level: { unit: aufx/gain/bkln, parameters: { gain: -12 dB } }", "in -> level -> out")
      let last = wrong.outputs.count - 1
      wrong.outputs[last].name = String(repeating: "x", count: 400)
      try await EngineRig.run(first) { [wrong] rig in
        await #expect(throws: JackError.self) { try await rig.engine.replace(with: wrong) }
        let probe = try rig.probe(first)
        #expect(
          probe.ports.filter { $0.hasPrefix("Test:") }.sorted() == ["Test:in", "Test:out"])
        let noise = Signals.noise(frames: 9600)
        _ = try await probe.play([noise], frames: 9600)
        let through = try await probe.play([noise], frames: 9600).channels
        #expect(firstDifference(through, [noise]) == nil)
      }
    }

    /// JACK refuses the new ports, and then the old ones, too.
    @Test func theFirstErrorIsThrown() async throws {
      let first = try plan(level, "in -> level -> out")
      var wrong = try swapped(", more: { channels: 1 }")
      let last = wrong.outputs.count - 1
      let name = String(repeating: "x", count: 400)
      wrong.outputs[last].name = name
      try await EngineRig.run(first) { [wrong] rig in
        await rig.engine.renameOutput(to: String(repeating: "y", count: 400))
        let error = await #expect(throws: JackError.self) {
          try await rig.engine.replace(with: wrong)
        }
        #expect(error?.description.contains(name) == true)
        try await eventually("the second error is a warning") {
          await rig.log.contains { "\($0)".contains("yyy") && "\($0)".contains("nothing plays") }
        }
      }
    }

    @Test func severalAtOnceTakeTurns() async throws {
      let first = try plan(level, "in -> level -> out")
      let other = try plan(upsideDown, "in -> turn -> out")
      try await EngineRig.run(first) { rig in
        let probe = try rig.probe(first)
        let heard = try await hear(rig, probe) { engine in
          try await withThrowingTaskGroup { group in
            for turn in 0..<6 {
              group.addTask { try await engine.replace(with: turn % 2 == 0 ? other : first) }
            }
            try await group.waitForAll()
          }
          try await engine.replace(with: other)
        }
        let tone = tone()
        #expect(!(90_000..<96_000).contains { abs(heard[$0] - tone[$0 - 240]) > 1e-4 })
        #expect(Signals.largestStep(heard) < noClick)
      }
    }

    /// With a feedback cable a cycle is rendered in parts; without it, at once.
    @Test func feedbackEditedAwayStandsALargerBuffer() async throws {
      let units = """
        mix: { unit: aumx/mixr/bkln, inputs: 2, channels: 1 }
        loop: { unit: aufx/gain/bkln, parameters: { gain: -96 dB } }
        """
      let looping = try plan(units, "in -> mix.1 -> out", "mix -> loop ~> mix.2")
      let plain = try plan(units, "in -> mix.1 -> out", "mix -> loop")
      try await EngineRig.run(looping, period: 64) { rig in
        let probe = try rig.probe(looping)
        let heard = try await hear(rig, probe) { try await $0.replace(with: plain) }
        #expect(Signals.largestStep(heard) < noClick)
        rig.server.run("jack_bufsize", "1024")
        try await eventually("the buffer size is told") {
          await rig.engine.status().bufferSize == 1024
        }
        let noise = Signals.noise(frames: frames)
        let through = try await probe.play([noise], frames: frames).channels
        #expect(firstDifference(through, [noise]) == nil)
      }
    }
  }
}

extension Engine {
  /// Renames the output, so that the plan's ports cannot be registered again.
  fileprivate func renameOutput(to name: String) {
    guard let rack else { return }
    var plan = rack.plan
    plan.outputs[0].name = name
    self.rack = LiveRack(plan: plan, units: rack.units, ports: rack.ports, format: rack.format)
  }
}
