import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct SpringReverbTests {
  private static let rate = 48_000.0

  /// Returns a reverb with the springs alone.
  private func host(_ parameters: [String: Float], channels: Int = 1) throws -> UnitHost {
    let plain: [String: Float] = ["mix": 100, "low_cut": 20]
    return try BuiltInUnit("aufx/sprg/bkln").host(
      channels: channels, plain.merging(parameters) { $1 })
  }

  /// A Butterworth filter of an order through the bilinear transform.
  private func butterworth(_ frequency: Double, at corner: Double, q: [Double], isHigh: Bool)
    -> Phasor
  {
    let s = Phasor(0, tan(.pi * frequency / Self.rate) / tan(.pi * corner / Self.rate))
    return q.reduce(Phasor(1)) { product, q in
      product * (isHigh ? s * s : Phasor(1)) / (s * s + s * Phasor(1 / q) + Phasor(1))
    }
  }

  /// Frames, from the phase a little below and above.
  private func groupDelay(at frequency: Double, _ response: (Double) -> Phasor) -> Double {
    let step = 2.0
    let turn = (response(frequency + step) / response(frequency - step)).phase
    return -turn / (2 * .pi * 2 * step) * Self.rate
  }

  /// A hundred all-passes (a + D) / (1 + a D), with D = z⁻ⁿ (b + z⁻¹) / (1 + b z⁻¹), then what
  /// keeps the springs between low cut and chirp, half the way later. Nothing comes back on the
  /// slackest spring within its 100 ms.
  @Test(arguments: [(4300.0, 60.0), (6000, 0), (2000, 30), (5500, 80)])
  func theChirpHasTheDelayOfItsAllPasses(chirp: Double, drip: Double) throws {
    let host = try host([
      "springs": 0, "tension": 0, "chirp": Float(chirp), "drip": Float(drip), "decay": 0.5,
    ])
    let pass = Array(host.impulseResponse()[2400..<7200])
    let a = 0.3 + 0.45 * drip / 100
    let delay = Self.rate / 2 / chirp
    let whole = (delay - 0.5).rounded(.down)
    let b = (1 - (delay - whole)) / (1 + (delay - whole))
    for part in stride(from: 0.1, through: 0.8, by: 0.1) {
      let expected = groupDelay(at: part * chirp) { frequency in
        let w = 2 * Double.pi * frequency / Self.rate
        let back = Phasor(cos(w), -sin(w))
        let inner =
          Phasor(cos(whole * w), -sin(whole * w)) * (Phasor(b) + back)
          / (Phasor(1) + Phasor(b) * back)
        let stage = (Phasor(a) + inner) / (Phasor(1) + Phasor(a) * inner)
        let angle = 100 * stage.phase
        return Phasor(cos(angle), sin(angle))
          * butterworth(frequency, at: chirp, q: [0.51764, 0.70711, 1.93185], isHigh: false)
          * butterworth(frequency, at: 20, q: [0.70711], isHigh: true)
      }
      let measured = groupDelay(at: part * chirp) { Spectrum.transform(pass, at: $0) }
      #expect(abs(measured / expected - 1) < 0.02, "\(part * chirp) Hz")
    }
  }

  @Test(arguments: [Float(1), 2, 6], [Float(60), 100])
  func theDecayIsTheKnob(decay: Float, tension: Float) throws {
    let host = try host(["springs": 2, "decay": decay, "tension": tension])
    let response = host.impulseResponse(frames: Int(Float(Self.rate) * decay * 1.3))
    for frequency in [250.0, 500, 1000, 2000, 3000] {
      let measured = Decay(of: response, around: frequency).t30
      #expect(abs(measured / Double(decay) - 1) < 0.1, "\(frequency) Hz")
    }
  }

  /// The way there and back takes 100 ms on the slackest spring, 50 ms on the tautest. Half of it is
  /// over when the first sounds come, as 33 ms on a real tank, and then each time the whole.
  @Test(arguments: [(Float(0), 0.1), (60, 0.06598), (100, 0.05)])
  func tensionShortensTheWay(tension: Float, way: Double) throws {
    let host = try host(["springs": 0, "tension": tension, "drip": 0, "decay": 4])
    let response = host.impulseResponse(frames: 14_400)
    #expect(response.prefix(Int(way / 2 * Self.rate)).allSatisfy { abs($0) < 1e-6 })
    // The lowest sounds take M D (1 - a) / (1 + a) each time.
    let along = 100 * Self.rate / 2 / 4300 * 0.7 / 1.3
    let lowest = { (start: Double) -> Double in
      let part = response[Int(start - 100)..<Int(start + 100)]
      return Double(part.map { $0 * $0 }.reduce(0, +))
    }
    for passes in [1.0, 2] {
      let heard = way * (passes - 0.5) * Self.rate + passes * along
      #expect(lowest(heard) > 100 * lowest(heard - 400), "pass \(passes)")
    }
  }

  @Test func oneSpringIsInTheMiddleAndTwoAreAside() throws {
    let impulse = Signals.impulse(frames: 4800)
    let one = try host(["springs": 0, "width": 100], channels: 2).play([impulse, impulse])
    #expect(zip(one[0], one[1]).allSatisfy { abs($0 - $1) < 1e-6 })
    let two = try host(["springs": 1, "width": 100], channels: 2).play([impulse, impulse])
    let narrow = try host(["springs": 1, "width": 0], channels: 2).play([impulse, impulse])
    #expect(zip(two[0], two[1]).contains { abs($0 - $1) > 0.01 })
    #expect(zip(narrow[0], narrow[1]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// Springs of another make fade in 20 ms; a spring more or less, too.
  @Test(arguments: [("tension", Float(10)), ("chirp", 2500), ("drip", 100), ("springs", 2)])
  func springsChangeWithoutAClick(name: String, value: Float) throws {
    let host = try host([:])
    let sine = Signals.sine(frequency: 200, amplitude: 0.25, frames: 48_000)
    let output = host.play(sine, events: [.parameter(host.address(name), value, at: 24_000)])
    let steady = [20_000..<24_000, 44_000..<48_000].map { Signals.largestStep(output[$0]) }.max()
    #expect(Signals.largestStep(output[24_000..<26_000]) < 2 * (try #require(steady)))
  }

  @Test func mixAtZeroIsTheInput() throws {
    let noise = Signals.noise(frames: 4800)
    #expect(try host(["mix": 0]).play(noise) == noise)
  }
}
