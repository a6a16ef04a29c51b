import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct LimiterTests {
  private let unit = BuiltInUnit("aufx/limt/bkln")

  private func mono(_ parameters: [String: Float], rate: Double = 48_000) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, sampleRate: rate, inputChannels: [1], outputChannels: [1],
      parameters: parameters)
  }

  /// The reference: an interpolation of 64 taps (sinc, Kaiser's window with beta 8) at eight times
  /// the rate, wherever a sample is above half the ceiling. dB
  private func truePeak(_ signal: [Float]) -> Double {
    func bessel(_ x: Double) -> Double {
      var (term, sum) = (1.0, 1.0)
      for k in 1...30 {
        term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
        sum += term
      }
      return sum
    }
    let phases = (0..<8).map { phase in
      (0..<64).map { tap -> Double in
        let x = Double(tap - 31) - Double(phase) / 8
        let inside = max(0, 1 - (x / 32) * (x / 32))
        let window = bessel(8 * inside.squareRoot()) / bessel(8)
        return x == 0 ? window : window * sin(.pi * x) / (.pi * x)
      }
    }
    var highest = 0.0
    for frame in 32..<(signal.count - 32) where abs(signal[frame]) > 0.35 {
      for taps in phases {
        for back in [0, 1] {
          var sum = 0.0
          for tap in 0..<64 { sum += taps[tap] * Double(signal[frame - back + tap - 31]) }
          highest = max(highest, abs(sum))
        }
      }
    }
    return 20 * log10(highest)
  }

  /// Sines of random phase from 100 Hz to 20 kHz: noise without what converters cut off. Its
  /// crests are at 1.
  private func noise(frames: Int) -> [Float] {
    var random = Random(seed: 5)
    var sum = [Double](repeating: 0, count: frames)
    for _ in 0..<60 {
      let step = 2 * .pi * Double.random(in: 100...20_000, using: &random) / 48_000
      let phase = Double.random(in: 0...6, using: &random)
      for frame in 0..<frames { sum[frame] += sin(step * Double(frame) + phase) }
    }
    let highest = sum.map(abs).max() ?? 1
    return sum.map { Float($0 / highest) }
  }

  @Test(arguments: [(0.5, 10, 0), (3, 80, 0), (0.5, 10, 1), (1, 10, 2)] as [(Float, Float, Float)])
  func noCrestPassesTheCeiling(lookAhead: Float, release: Float, mode: Float) throws {
    let frames = 4000
    let signals = [
      noise(frames: frames),
      (0..<frames).map { Float(sin((Double($0) + 0.5) * .pi / 2)) },
      (0..<frames).map { frame -> Float in
        let turn = 2 * Double.pi * 997 * Double(frame) / 48_000
        let harmonics: [Double] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
        return Float(harmonics.reduce(0.0) { $0 + sin($1 * turn) / $1 })
      },
      (0..<frames).map { Float($0 % 700 < 2 ? 0.9 : 0) },
    ]
    for (place, signal) in signals.enumerated() {
      let host = try mono([
        "gain": 12, "look_ahead": lookAhead, "release": release, "mode": mode,
      ])
      let output = host.render(inputs: [[signal]], frames: frames)[0]
      #expect(truePeak(output) < -1 + 0.05, "signal \(place)")
      #expect(mode > 0 || host.value("gain_reduction") > 1)
    }
  }

  @Test(arguments: [0, 1, 2] as [Float]) func noKnobLetsACrestPass(mode: Float) throws {
    let host = try mono(["gain": 12, "look_ahead": 1, "mode": mode])
    let address = host.address("look_ahead")
    let output = host.render(
      inputs: [[noise(frames: 6000)]], frames: 6000,
      events: [
        .parameter(address, 8, at: 1000), .parameter(address, 0.5, at: 2500),
        .parameter(host.address("release"), 10, at: 2600),
        .parameter(host.address("auto_release"), 0, at: 3000),
        .parameter(address, 10, at: 3100),
        .parameter(host.address("mode"), 2 - mode, at: 5000),
      ])[0]
    #expect(truePeak(output) < -1 + 0.05)
  }

  @Test(arguments: [44_100, 192_000] as [Double])
  func softSoundPassesAsItIs(rate: Double) throws {
    let host = try mono(["look_ahead": 3], rate: rate)
    let input = Signals.noise(frames: 3000, seed: 3).map { 0.3 * $0 }
    let output = host.render(inputs: [[input]], frames: 3000)[0]
    #expect(host.latency == Int((0.003 * rate).rounded()) + 14)
    #expect(Array(output[host.latency...]) == Array(input.prefix(3000 - host.latency)))
  }

  @Test func aToneStaysATone() throws {
    let host = try mono(["gain": 6, "ceiling": -3, "look_ahead": 0.5, "release": 10])
    let tone = Signals.sine(frequency: 60, frames: 9600)
    let output = host.render(inputs: [[tone]], frames: 9600)[0]
    let gain = Float(pow(10, -3.05 / 20))
    let worst = (4800..<9600).map { abs(output[$0] - gain * tone[$0 - host.latency]) }.max() ?? 1
    #expect(worst < 0.005 * gain)
  }

  /// The reduction falls exponentially in dB, long after the look-ahead's averages.
  @Test func releaseTakesItsTime() throws {
    let host = try mono(["ceiling": -12, "release": 50, "auto_release": 0])
    let input =
      Signals.sine(frequency: 1000, frames: 4800)
      + Signals.sine(frequency: 1000, amplitude: 0.01, frames: 9600)
    let output = host.render(inputs: [[input]], frames: 14_400)[0]
    func reduction(_ frame: Int) -> Double {
      20 * log10(Double(input[frame - host.latency] / output[frame]))
    }
    // Crests of the soft tone, 40 ms apart.
    let crest = 4800 + host.latency + 12
    let ratio = reduction(crest + 48 * 70) / reduction(crest + 48 * 30)
    #expect(abs(ratio - exp(-40.0 / 50)) < 0.01)
  }

  /// The release follows what a crest needs beyond 3 dB (Punch) or 24 dB (Soft Clip).
  @Test(arguments: [(0, 12.05), (1, 9.05), (2, 0)] as [(Float, Double)])
  func theModesLeaveCrestsToDips(mode: Float, released: Double) throws {
    let host = try mono(["ceiling": -12, "release": 50, "auto_release": 0, "mode": mode])
    let input =
      Signals.sine(frequency: 1000, frames: 4800)
      + Signals.sine(frequency: 1000, amplitude: 0.01, frames: 4800)
    let output = host.render(inputs: [[input]], frames: 9600)[0]
    // Loud crests are 12.05 dB down, as the margin adds 0.05 dB.
    #expect(abs(Double((output[2400..<4800].max() ?? 0)) - pow(10, -12.05 / 20)) < 1e-4)
    // 40 ms after the last crest: its reduction was held for 10 ms and 2 frames, and the averages
    // of 146 frames are, for an exponential decay, as its value in their middle.
    let frame = 4800 + host.latency + 12 + 40 * 48
    let last = Double(4800 - 12)
    let since = (Double(frame) - 72 + 14 - last - 482) / 48
    let reduction = 20 * log10(Double(input[frame - host.latency] / output[frame]))
    #expect(abs(reduction - released * exp(-since / 50)) < 0.05 + 0.03 * released)
  }

  @Test func linkTurnsBothSidesDown() throws {
    for link in [0, 100] as [Float] {
      let host = try UnitHost(unit.descriptor, parameters: ["link": link, "ceiling": -12])
      let loud = Signals.sine(frequency: 1000, frames: 2400)
      let soft = Signals.sine(frequency: 1000, amplitude: 0.1, frames: 2400)
      let output = host.render(inputs: [[loud, soft]], frames: 2400)
      let highest = output[1][1200...].max() ?? 0
      let expected = link == 0 ? 0.1 : 0.1 * Float(pow(10, -12.05 / 20))
      #expect(abs(highest - expected) < 0.001)
    }
  }
}
