import Foundation

extension MeasuredUnit {
  static let convolver = MeasuredUnit(
    "aufx/conv/bkln", material: nil,
    figures: [
      Figure(
        "Difference from direct convolution, 1 to 20,000 taps", in: "dBc", .atMost(-120)
      ) { unit in
        // As many taps as take part in none, one, two and three sizes of partitions.
        let distances = try [1, 50, 900, 5000, 20_000].flatMap { taps -> [Double] in
          let (file, input) = (SoundFile.noise(frames: taps, channels: 2), noise(frames: 24_000))
          let output = try convolved(input, with: file, by: unit)
          return (0...1).map { distance(output[$0], [(input[$0], file.channels[$0])]) }
        }
        return distances.max() ?? 0
      },
      Figure(
        "Difference from direct convolution, true stereo, and from one channel", in: "dBc",
        .atMost(-120)
      ) { unit in
        let (file, input) = (SoundFile.noise(frames: 700, channels: 4), noise(frames: 3000))
        let (response, output) = (file.channels, try convolved(input, with: file, by: unit))
        let spread = try convolved([input[0]], with: file, by: unit, outputs: 2)
        return max(
          distance(output[0], [(input[0], response[0]), (input[1], response[2])]),
          distance(output[1], [(input[0], response[1]), (input[1], response[3])]),
          distance(spread[1], [(input[0], response[1]), (input[0], response[3])]))
      },
      Figure(
        "Difference from direct convolution without the start, reversed and delayed", in: "dBc",
        .atMost(-120)
      ) { unit in
        let (file, input) = (SoundFile.noise(frames: 1000, channels: 1), noise(frames: 4000)[0])
        let output = try convolved(
          [input], with: file, by: unit, ["start": 20, "reverse": 1, "pre_delay": 10])
        // What is cut off at the start fades over a quarter of what is left.
        let response = (0..<800).map { file.channels[0][999 - $0] * min(1, Float(800 - $0) / 200) }
        let late: [Float] = Signals.constant(0, frames: 480) + input.dropLast(480)
        return distance(output[0], [(late, response)])
      },
      Figure("Gain of a response at 44.1 kHz to 17 kHz: worst", in: "dB", .atMost(0.1)) { unit in
        let response = (0..<200).map { Float(exp(-Double($0) / 20) * cos(0.9 * Double($0))) }
        let file = SoundFile(sampleRate: 44_100, channels: [response])
        let impulse = Signals.impulse(frames: 1000)
        let output = FrequencyResponse(of: try convolved([impulse], with: file, by: unit)[0])
        let exact = FrequencyResponse(of: response, sampleRate: 44_100)
        return Deviation.worst(
          [300, 3000, 9000, 15_000, 17_000].map { output.gain(at: $0) - exact.gain(at: $0) })
      },
      Figure(
        "Level of noise through a response, as it is and 40 dB softer", in: "dB", .atMost(0.0008)
      ) { unit in
        let errors = try ([1, 0.01] as [Float]).map { amplitude -> Double in
          var file = SoundFile.noise(frames: 800, channels: 2)
          file.channels = file.channels.map { $0.map { $0 * amplitude } }
          return try normalisedLevel(of: file, by: unit)
        }
        return Deviation.worst(errors)
      },
      Figure(
        "Normalised response of two channels, beside the file's by its energy", in: "dBc",
        .atMost(-80)
      ) { unit in
        var file = SoundFile.noise(frames: 800, channels: 2)
        file.channels[1] = file.channels[1].map { 0.3 * $0 }
        let gain = Float((2 / Level.energy(file.channels.joined())).squareRoot())
        let impulse = Signals.impulse(frames: 800)
        let output = try convolved([impulse, impulse], with: file, by: unit, ["normalise": 1])
        return (0...1).map { channel in
          distance(output[channel], [(impulse, file.channels[channel].map { gain * $0 })])
        }.max() ?? 0
      },
      Figure("Level of noise through decays of 0 and -30 dB", in: "dB", .atMost(0.0086)) { unit in
        let errors = try ([0, -30] as [Float]).map { decay -> Double in
          try normalisedLevel(of: .noise(frames: 20_000, channels: 2), by: unit, ["decay": decay])
        }
        return Deviation.worst(errors)
      },
      Figure("Loudness of pink noise through a dark response", in: "LU", .near(0, within: 0.5)) {
        unit in
        let dark = SoundFile(
          sampleRate: 48_000, channels: [(0..<4000).map { Float(exp(-Double($0) / 20)) }])
        let noise = Signals.pinkNoise(frames: 96_000)
        let output = try convolved([noise], with: dark, by: unit, ["normalise": 2])
        return Loudness.integrated(output) - Loudness.integrated([noise])
      },
      Figure(
        "Reverse and pre-delay moved on 1 kHz: farther than 1 kHz off", in: "dBc", .atMost(-80)
      ) {
        unit in
        try [("reverse", 1), ("pre_delay", 40)].map { (knob: String, value: Float) in
          let folder = try TemporaryFolder()
          let file = try SoundFile.noise(frames: 2000, channels: 1)
            .write(folder.path("response.wav"))
          return try UnitHost(
            unit.descriptor, inputChannels: [1], outputChannels: [1], properties: ["file": file]
          ).spur(moving: knob, to: value)
        }.max() ?? 0
      },
    ]
  ) { unit in
    let decay = SoundFile(
      sampleRate: 16_000,
      channels: [
        Signals.noise(frames: 16_000).enumerated().map {
          $1 * Float(pow(10, -3 * Double($0) / 16_000))
        }
      ])
    let trims: [(String, [String: Float])] = [
      ("as it is", [:]), ("length 40 %", ["length": 40]), ("reverse", ["reverse": 1]),
    ]
    return Plot(
      "Level after an impulse, through a second of decaying noise", x: .seconds(1.2, step: 0.2),
      y: .decibels(-80...0, step: 20, "Level of 20 ms"),
      try trims.map { name, parameters in
        let output = try convolved(
          [Signals.impulse(frames: 19_200)], with: decay, by: unit, sampleRate: 16_000, parameters)
        return Plot.Curve(name, Plot.Point.levels(of: output[0], sampleRate: 16_000, window: 0.02))
      })
  }

  /// Returns two channels of noise.
  private static func noise(frames: Int) -> [[Float]] {
    [Signals.noise(frames: frames), Signals.noise(frames: frames, seed: 2)]
  }

  private static func convolved(
    _ input: [[Float]], with file: SoundFile, by unit: BuiltInUnit, sampleRate: Double = 48_000,
    outputs: Int? = nil, _ parameters: [String: Float] = [:]
  ) throws -> [[Float]] {
    let folder = try TemporaryFolder()
    let plain: [String: Float] = ["mix": 100, "normalise": 0]
    let host = try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [input.count],
      outputChannels: [outputs ?? input.count],
      properties: ["file": file.write(folder.path("response.wav"))],
      parameters: plain.merging(parameters) { $1 })
    return host.play(input)
  }

  /// Returns the difference from the sums of direct convolutions of inputs and responses, at some
  /// hundred frames, dBc.
  private static func distance(_ output: [Float], _ parts: [([Float], [Float])]) -> Double {
    var (error, whole) = (0.0, 0.0)
    for frame in Array(0..<20) + stride(from: 20, to: output.count, by: output.count / 100) {
      var exact = 0.0
      for (input, response) in parts {
        for tap in 0...min(frame, response.count - 1) {
          exact += Double(response[tap]) * Double(input[frame - tap])
        }
      }
      error += pow(Double(output[frame]) - exact, 2)
      whole += exact * exact
    }
    return 10 * log10(error / whole)
  }

  /// Returns the mean level of the two channels that white noise has after a response, dB.
  private static func normalisedLevel(
    of file: SoundFile, by unit: BuiltInUnit, _ parameters: [String: Float] = [:]
  ) throws -> Double {
    let impulse = Signals.impulse(frames: file.channels[0].count)
    let output = try convolved(
      [impulse, impulse], with: file, by: unit, parameters.merging(["normalise": 1]) { $1 })
    return 10 * log10(Level.energy(output.joined()) / 2)
  }
}
