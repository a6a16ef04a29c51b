import Foundation

extension MeasuredUnit {
  static let limiter = MeasuredUnit(
    "aufx/limt/bkln", material: .drums,
    figures: [
      Figure(
        "Crest of a sine of 12 kHz between its samples, 12 dB too loud", in: "dB",
        .near(-1, within: 0.1)
      ) { unit in
        let tone = (0..<9600).map { Float(sin((Double($0) + 0.5) * .pi / 2)) }
        let output = try unit.host(["gain": 12]).play(tone)
        // The samples lie 45 degrees off the peaks.
        return Level.peak(output) + 20 * log10(2.0.squareRoot())
      },
      Figure("Crests of four sounds 12 dB too loud, beside the ceiling", in: "dB", .atMost(0.05)) {
        unit in
        let settings: [(Float, Float, Float)] = [
          (0.5, 10, 0), (3, 80, 0), (0.5, 10, 1), (1, 10, 2),
        ]
        return try settings.flatMap { lookAhead, release, mode -> [Double] in
          try sounds.map { sound in
            let host = try unit.host([
              "gain": 12, "look_ahead": lookAhead, "release": release, "mode": mode,
            ])
            return crest(of: host.play(sound))
          }
        }.max() ?? 1
      },
      Figure("Crests of noise while knobs turn, beside the ceiling", in: "dB", .atMost(0.05)) {
        unit in
        try ([0, 1, 2] as [Float]).map { mode in
          let host = try unit.host(["gain": 12, "look_ahead": 1, "mode": mode])
          let lookAhead = host.address("look_ahead")
          let output = host.play(
            noise(frames: 6000),
            events: [
              .parameter(lookAhead, 8, at: 1000), .parameter(lookAhead, 0.5, at: 2500),
              .parameter(host.address("release"), 10, at: 2600),
              .parameter(host.address("auto_release"), 0, at: 3000),
              .parameter(lookAhead, 10, at: 3100),
              .parameter(host.address("mode"), 2 - mode, at: 5000),
            ])
          return crest(of: output)
        }.max() ?? 1
      },
      Figure(
        "Largest difference of 60 Hz, 9 dB down, release 10 ms, from the tone", in: "dBc",
        .atMost(-46.02)
      ) { unit in
        let host = try unit.host(["gain": 6, "ceiling": -3, "look_ahead": 0.5, "release": 10])
        let tone = Signals.sine(frequency: 60, frames: 9600)
        let output = host.play(tone)
        // The ceiling has a margin of 0.05 dB.
        let gain = Float(Level.amplitude(-3.05))
        return Level.peak((4800..<9600).map { output[$0] / gain - tone[$0 - host.latency] })
      },
      Figure(
        "Loudness of drums 10 dB above the ceiling, Punch beside Clean", in: "LU",
        .near(1.1, within: 0.3)
      ) {
        unit in try loudness(of: unit, mode: 1) - loudness(of: unit, mode: 0)
      },
      Figure(
        "Loudness of drums 10 dB above the ceiling, Soft Clip beside Clean", in: "LU",
        .near(1.5, within: 0.3)
      ) {
        unit in try loudness(of: unit, mode: 2) - loudness(of: unit, mode: 0)
      },
      Figure("Distortion of 1 kHz, 6 dB down, Soft Clip", in: "dB", .atMost(-90)) { unit in
        let host = try unit.host(["ceiling": -6, "mode": 2])
        return LineSpectrum(host.play(Signals.sine(frequency: 1000, frames: 48_000)))
          .totalHarmonicDistortion(of: 1000)
      },
      Figure("Latency beside 3 ms of look-ahead and 14 frames", in: "frames", .atMost(0)) { unit in
        try rates.map { rate in
          let latency = try unit.host(sampleRate: rate, ["look_ahead": 3]).latency
          return abs(Double(latency) - (0.003 * rate).rounded() - 14)
        }.worst
      },
      Figure("Largest difference of soft noise from the input", in: "", .atMost(0)) { unit in
        try rates.map { rate in
          let host = try unit.host(sampleRate: rate)
          let noise = Signals.noise(frames: 4800).map { 0.3 * $0 }
          let output = Array(host.play(noise).dropFirst(host.latency))
          return Deviation.worst(of: output, from: Array(noise.prefix(output.count)))
        }.worst
      },
    ]
  ) { unit in
    let frames = 4800
    let burst = (0..<frames).map { frame -> Float in
      let amplitude = 960..<2400 ~= frame ? 0.9 : 0.2
      return Float(amplitude * sin(2 * .pi * Double(frame) / 48))
    }
    let host = try unit.host(["ceiling": -12, "release": 20, "auto_release": 0])
    let output = host.play(burst + Signals.constant(0, frames: host.latency))
    return Plot(
      "A burst of 1 kHz and what a ceiling of -12 dB lets out, latency taken off",
      x: .seconds(0.1, step: 0.02), y: Plot.Axis("Highest of 1 ms", 0...1, step: 0.2),
      [
        Plot.Curve("input", Plot.Point.crests(of: burst)),
        Plot.Curve("output", Plot.Point.crests(of: Array(output.dropFirst(host.latency)))),
      ])
  }

  private static let rates: [Double] = [44_100, 48_000, 192_000]

  /// Noise, a sine whose crests lie between samples, a square wave and clicks.
  private static let sounds: [[Float]] = {
    let frames = 4000
    return [
      noise(frames: frames),
      (0..<frames).map { Float(sin((Double($0) + 0.5) * .pi / 2)) },
      (0..<frames).map { frame -> Float in
        let turn = 2 * Double.pi * 997 * Double(frame) / 48_000
        return Float(stride(from: 1.0, to: 20, by: 2).reduce(0.0) { $0 + sin($1 * turn) / $1 })
      },
      (0..<frames).map { Float($0 % 700 < 2 ? 0.9 : 0) },
    ]
  }()

  /// Returns sines of random phase from 100 Hz to 20 kHz, with crests at 1: noise without what
  /// converters cut off.
  private static func noise(frames: Int) -> [Float] {
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

  /// Returns the highest crest beside the ceiling, dB; infinity if it is far below, as of silence.
  private static func crest(of signal: [Float]) -> Double {
    let distance = truePeak(signal) + 1
    return distance > -3 ? distance : .infinity
  }

  /// Returns the highest crest, dB, of an interpolation of 64 taps at eight times the rate wherever
  /// a sample is above 0.35: a sinc under Kaiser's window with a beta of 8.
  private static func truePeak(_ signal: [Float]) -> Double {
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
    return Level.decibels(highest)
  }

  private static func loudness(of unit: BuiltInUnit, mode: Float) throws -> Double {
    let drums = Material.drums.samples.prefix(96_000).map { $0 * 4 }
    return Loudness.integrated([try unit.host(["gain": 6, "mode": mode]).play(drums)])
  }
}
