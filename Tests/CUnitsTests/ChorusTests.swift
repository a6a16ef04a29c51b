import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

/// The chorus and the flanger, which share all but their tables.
@Suite struct ChorusTests {
  /// The second channel's voice is ahead by the spread, and the rate follows the tempo: a half of
  /// 150 beats a minute lasts 0.8 s.
  @Test func spreadAndSyncTurnTheSweep() throws {
    let host = try BuiltInUnit("aufx/chor/bkln").host(
      channels: 2, ["voices": 1, "mix": 100, "sync": 11, "depth": 1, "delay": 5, "spread": 90])
    host.roll(tempo: 150) { _ in false }
    let ramp = (0..<40_000).map { Float($0) / 48_000 }
    let output = host.play([ramp, ramp])
    for frame in stride(from: 1000, to: 40_000, by: 777) {
      let time = Double(frame) / 48_000
      for (side, turns) in [0, 0.25].enumerated() {
        let delay: Double = 0.005 + 0.001 * sin(2 * Double.pi * (time / 0.8 + turns))
        #expect(abs(Double(output[side][frame]) - (time - delay)) < 1e-6)
      }
    }
  }

  /// In Dimension each side takes away what it gives the other, so that in mono only the dry sound
  /// is left.
  @Test func dimensionVanishesInMono() throws {
    let host = try BuiltInUnit("aufx/chor/bkln").host(
      channels: 2, ["dimension": 1, "voices": 3, "mix": 50])
    let noise = Signals.noise(frames: 5000)
    let output = host.play([noise, noise])
    for frame in 0..<5000 {
      let mono = 0.5 * (output[0][frame] + output[1][frame])
      #expect(abs(mono - noise[frame] * Float(0.5).squareRoot()) < 1e-6)
    }
    #expect(output[0] != output[1])
  }

  /// Where the sweep passes the waiting input, an inverted copy cancels it.
  @Test func throughZeroCancels() throws {
    let host = try BuiltInUnit("aufx/flng/bkln").host(
      ["depth": 0, "feedback": 0, "delay": 3, "mix": -50, "through_zero": 1])
    #expect(host.latency == 144)
    #expect(host.play(Signals.noise(frames: 3000)).allSatisfy { abs($0) < 1e-6 })
  }

  @Test(arguments: ["aufx/chor/bkln", "aufx/flng/bkln"]) func noMixChangesNothing(
    unit: String
  ) throws {
    let noise = [Signals.noise(frames: 900)]
    #expect(identical(try BuiltInUnit(unit).host(["mix": 0]).play(noise), noise))
  }
}
