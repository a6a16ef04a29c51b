import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel
import Testing

@testable import RackEngine

extension JackTests {
  /// A pedal that comes through JACK.
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
        // Where it is sent is where it is heard.
        let sound = take.channels[0]
        let moved = try #require(sound.indices.first { $0 > 1000 && sound[$0] < 0.9999 })
        #expect((4801...4803).contains(moved))
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
  }
}

extension Engine {
  fileprivate var firstUnit: AudioUnit? { rack?.units.first?.audioUnit }
}
