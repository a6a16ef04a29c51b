import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Units that are removed while they sound, and spill.
  @Suite(.serialized) struct LiveSpill {
    private let frames = 96_000
    private let echo =
      "echo: { unit: aufx/dely/bkln, spill: true, parameters: "
      + "{ time: 500 ms, feedback: 70 %, tone: 20 kHz, mix: 100 % } }"

    private func rack(
      _ name: String, inputs: String = "in: { channels: 1 }", _ units: [String],
      _ connections: String
    ) -> String {
      """
      rack: \(name)
      inputs: { \(inputs) }
      outputs: { out: { channels: 1 } }
      units: { \(units.joined(separator: ", ")) }
      connections: [ \(connections) ]
      """
    }

    private var noise: [Float] {
      Signals.noise(frames: 9600) + Signals.constant(0, frames: frames - 9600)
    }

    /// Plays a burst into the first rack and then calls `change`; returns the output, and the output
    /// without the change.
    private func hear(
      _ rig: SessionRig, _ plan: Plan,
      _ change: @escaping @Sendable (RackSession) async throws -> Void
    ) async throws -> (heard: [Float], whole: [Float]) {
      let probe = try rig.engine.probe(plan)
      let heard = try await probe.play([noise], frames: frames, after: 33_600) {
        [session = rig.session] in
        try await change(session)
      }.channels[0]
      let whole = try OfflineRendering(plan, inputs: ["in": [noise]]) {
        $0.length = Double(frames) / 48_000
      }
      return (heard, whole.output[0])
    }

    @Test func whatIsRemovedSoundsOnTheWayItWentAndUndoBringsItBack() async throws {
      let rack = rack(
        "Test", [echo, "level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }"],
        "in -> echo -> level -> out")
      try await SessionRig.run(rack) { rig in
        let plan = await rig.session.rack.plan
        let unit = await rig.engine.engine.audioUnit(named: "echo")
        let (heard, whole) = try await hear(rig, plan) { session in
          try await session.perform("remove echo")
        }
        #expect(firstDifference(heard, whole) == nil)
        #expect(heard[72_000..<81_600].contains { abs($0) > 0.02 })
        #expect(await rig.engine.engine.status().spilling == ["echo"])
        try await rig.perform("undo")
        #expect(await rig.engine.engine.status().spilling == [])
        #expect(await rig.engine.engine.audioUnit(named: "echo") === unit)
      }
    }

    /// The inputs differ, so that one rack must end before the other can start.
    @Test(arguments: ["in: { channels: 1 }", "in: { channels: 1 }, more: { channels: 1 }"])
    func aRackThatIsExchangedSoundsOn(inputs: String) async throws {
      let first = rack(
        "First",
        [echo, "mix: { unit: aumx/mixr/bkln, inputs: 2, channels: 1 }", "low: { unit: Gain }"],
        "in -> low -> echo -> mix.1, in -> mix.2, mix -> out")
      let second = rack(
        "Second", inputs: inputs,
        ["mix: { unit: aumx/mixr/bkln, inputs: 3, channels: 1 }"], "in -> mix -> out")
      let (other, problems) = TestRacks.checker(folder: TestRacks.folder.path)
        .open(Array(second.utf8), file: "second.yaml")
      #expect(problems.allSatisfy { $0.severity != .error }, "\(problems)")
      try await SessionRig.run(first) { rig in
        let plan = await rig.session.rack.plan
        let (heard, whole) = try await hear(rig, plan) { session in
          try await session.load(try #require(other), title: "load Second")
        }
        #expect(firstDifference(heard, whole) == nil)
        #expect(await rig.engine.engine.status().spilling == ["echo"])
        #expect(await rig.engine.engine.status().units.map(\.name) == ["mix"])
      }
    }

    @Test func severalSpillAtOnceAndAreLetGoOnceTheyAreSilent() async throws {
      let short = echo.replacing("70 %", with: "0 %").replacing("500 ms", with: "100 ms")
      let (one, two) = (
        short.replacing("echo:", with: "one:"), short.replacing("echo:", with: "two:")
      )
      try await SessionRig.run(rack("Test", [one, two], "in -> one -> two -> out")) { rig in
        let engine = rig.engine.engine
        try await rig.perform("remove one", "remove two")
        try await eventually("both are gone") { await engine.status().spilling.isEmpty }
        try await eventually("nobody holds them") { await engine.holdsNothing }
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let heard = try await probe.play([noise], frames: frames).channels[0]
        #expect(firstDifference(heard, noise) == nil)
      }
    }
  }
}

extension Engine {
  fileprivate var holdsNothing: Bool { kernel.graphs.values.allSatisfy(\.units.isEmpty) }
}
