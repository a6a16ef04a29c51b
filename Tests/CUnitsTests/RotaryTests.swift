import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct RotaryTests {
  private let unit = BuiltInUnit("aufx/rota/bkln")

  /// The pitch that a microphone hears, by the phase over 60 frames each, from 0.3 s to 1 s. Hz
  private func pitches(_ frequency: Double, _ parameters: [String: Float]) throws -> [Double] {
    let host = try UnitHost(
      unit.descriptor, parameters: ["distance": 3].merging(parameters) { $1 })
    let sine = Signals.sine(frequency: frequency, frames: 48_000)
    let output = host.render(inputs: [[sine, sine]], frames: 48_000)[0]
    let spans = stride(from: 14_400, to: 47_000, by: 240).map { start in
      Array(output[start..<(start + 240)])
    }
    let phases = spans.map { Spectrum.transform($0, at: frequency).phase }
    return zip(phases, phases.dropFirst()).map { before, after in
      let turned = (after - before).remainder(dividingBy: 2 * .pi)
      return frequency + turned / (2 * .pi) * 200
    }
  }

  /// From afar the mouth moves towards the microphone at 2π · rate · radius at the most.
  @Test(arguments: [(4000.0, 6.7, 0.19), (200, 5.7, 0.12)])
  func dopplerFollowsTheSpeed(frequency: Double, rate: Double, radius: Double) throws {
    let pitches = try pitches(frequency, ["speed": 2])
    let expected: Double = 2 * Double.pi * rate * radius / 343.2
    let (low, high) = (try #require(pitches.min()), try #require(pitches.max()))
    #expect(abs((high - low) / (2 * frequency * expected) - 1) < 0.06)
  }

  @Test func brakedRotorsStandStill() throws {
    let pitches = try pitches(4000, ["speed": 0])
    #expect(pitches.allSatisfy { abs($0 - 4000) < 1e-2 })
  }

  /// After its time the horn has made 63 % of the way from slow to fast: the sweep's period is that of
  /// 4.53 Hz.
  @Test func rotorsTakeTheirTime() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["speed": 1, "balance": 24, "angle": 0])
    let frames = 48_000
    let sine = Signals.sine(frequency: 3000, frames: frames)
    let output = host.render(
      inputs: [[sine, sine]], frames: frames, events: [.parameter(host.address("speed"), 2, at: 0)])
    // The level has its crests where the horn faces the microphone: whole turns of the closed form.
    func turns(_ time: Double) -> Double { 6.7 * time - 5.9 * 0.35 * (1 - exp(-time / 0.35)) }
    let levels = stride(from: 0, to: frames, by: 48).map { start in
      output[0][start..<(start + 48)].map(abs).max() ?? 0
    }
    let crests = (20..<(levels.count - 20)).filter { place in
      levels[place] == levels[(place - 20)...(place + 20)].max()
    }
    #expect(crests.count >= 3)
    for crest in crests {
      let turned = turns((Double(crest) + 0.5) / 1000)
      #expect(abs(turned - turned.rounded()) < 0.03, "\(crest) ms")
    }
  }
}
