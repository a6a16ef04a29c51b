import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct TremoloTests {
  private let unit = BuiltInUnit("aufx/tmlo/bkln")

  /// The largest step of a rounded edge of 240 frames: in its middle, 15/8 of the mean.
  private static let steepest: Float = 1.01 * 1.875 / 240

  /// Returns the unit's multipliers for both channels, frame by frame.
  private func factors(
    _ parameters: [String: Float], frames: Int, event: UnitHost.Event? = nil
  ) throws -> [[Float]] {
    let host = try UnitHost(unit.descriptor, parameters: parameters)
    let constant = Signals.constant(1, frames: frames)
    return host.render(
      inputs: [[constant, constant]], frames: frames, blockSizes: [64, 100],
      events: event.map { [$0] } ?? [])
  }

  @Test(arguments: [0.5, 5, 20] as [Float]) func aSquareHasSoftEdges(rate: Float) throws {
    let frames = Int(2 * 48_000 / rate)
    let factors = try factors(["rate": rate, "depth": 80, "shape": 2], frames: frames)[0]
    #expect(factors.max() == 1)
    #expect(abs((factors.min() ?? 0) - 0.2) < 1e-6)
    #expect(Signals.largestStep(factors) < 0.8 * Self.steepest)
    let edgeFrames = factors.filter { $0 > 0.201 && $0 < 0.999 }.count
    #expect(edgeFrames < 4 * 241)
    let mean = factors.map(Double.init).reduce(0, +) / Double(frames)
    #expect(abs(mean - 0.6) < 1e-3)
  }

  @Test func spreadTurnsTheSecondChannel() throws {
    let alike = try factors(["rate": 4, "depth": 50], frames: 9600)
    #expect(alike[0] == alike[1])
    let factors = try factors(["rate": 5, "depth": 100, "spread": 90], frames: 19_200)
    for frame in 0..<9600 {
      #expect(abs(factors[1][frame] - factors[0][frame + 2400]) < 1e-5)
    }
    let opposite = try self.factors(["rate": 5, "depth": 100, "spread": 180], frames: 9600)
    for frame in 0..<9600 {
      #expect(abs(opposite[0][frame] + opposite[1][frame] - 1) < 1e-5)
    }
  }

  @Test func changingTheShapeDoesNotClick() throws {
    let address = UInt64(2)
    #expect(String(cString: unit.parameters[Int(address)].identifier) == "shape")
    let factors = try factors(
      ["rate": 1, "depth": 100], frames: 30_000,
      event: .parameter(address, 2, at: 10_000))[0]
    #expect(factors[10_000] > 0.25 && factors[11_000] == 1)
    #expect(Signals.largestStep(factors) < Self.steepest)
  }

  @Test func noDepthChangesNothing() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["depth": 0])
    let noise = [Signals.noise(frames: 900, seed: 1), Signals.noise(frames: 900, seed: 2)]
    #expect(identical(host.play(noise), noise))
  }

  /// The rate as a note's length: dotted eighths of 100 beats a minute last 0.45 s.
  @Test func theRateFollowsTheTempo() throws {
    let host = try unit.host(["depth": 100, "sync": 7, "rate": 19])
    host.music = { _ in
      (
        bl_musical_context(
          tempo: 100, time_signature_numerator: 4, time_signature_denominator: 4, beat_position: 0,
          downbeat_position: 0, frames_to_next_beat: 0), bl_transport_state()
      )
    }
    let factors = host.play(Signals.constant(1, frames: 30_000))
    for (frame, factor) in factors.enumerated() {
      let level = 0.5 + 0.5 * cos(2 * .pi * Double(frame) / 48_000 / 0.45)
      #expect(abs(Double(factor) - level) < 1e-5, "frame \(frame)")
    }
  }

  /// Lows at their height, highs at their depth, and the other way round half a period later.
  @Test func harmonicModeTakesLowsAndHighsInTurn() throws {
    let host = try unit.host(["depth": 100, "rate": 0.1, "mode": 1, "shape": 2])
    let lows = Signals.sine(frequency: 50, amplitude: 0.5, frames: 300_000)
    let highs = Signals.sine(frequency: 10_000, amplitude: 0.5, frames: 300_000)
    let output = host.play(zip(lows, highs).map { $0 + $1 })
    let pole: Double = exp(-2 * Double.pi * 700 / 48_000)
    for (frequency, isLow) in [(50.0, true), (10_000, false)] {
      let angle: Double = 2 * Double.pi * frequency / 48_000
      let z = Phasor(cos(angle), sin(angle))
      let low = Phasor(1 - pole) * z / (z - Phasor(pole))
      let high = Phasor(1) - low
      for (start, first) in [(48_000, true), (288_000, false)] {
        let measured = Spectrum.amplitude(Array(output[start..<(start + 9600)]), at: frequency)
        let expected = 0.5 * (first ? low : high).magnitude
        #expect(abs(measured - expected) < 1e-3, "\(frequency) Hz, lows \(isLow)")
      }
    }
  }
}
