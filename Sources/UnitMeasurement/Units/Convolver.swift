import Foundation

extension MeasuredUnit {
  static let convolver = MeasuredUnit(
    "aufx/conv/bkln", material: nil,
    figures: [
      Figure("Difference from direct convolution, 20,000 taps", in: "dB", .atMost(-120)) { unit in
        let file = SoundFile.noise(frames: 20_000, channels: 1)
        let input = Signals.noise(frames: 24_000)
        let output = try convolved(input, with: file, by: unit)
        var error = 0.0
        var whole = 0.0
        for frame in stride(from: 0, to: 24_000, by: 400) {
          let exact = (0...min(frame, 19_999)).reduce(0.0) {
            $0 + Double(file.channels[0][$1]) * Double(input[frame - $1])
          }
          error += pow(Double(output[frame]) - exact, 2)
          whole += exact * exact
        }
        return 10 * log10(error / whole)
      },
      Figure("Gain at 15 kHz of a response at 44.1 kHz", in: "dB", .near(0, within: 0.1)) { unit in
        let response = (0..<200).map { Float(exp(-Double($0) / 10) * cos(2 * Double($0))) }
        let file = SoundFile(sampleRate: 44_100, channels: [response])
        let output = try convolved(Signals.impulse(frames: 1000), with: file, by: unit)
        return FrequencyResponse(of: output).gain(at: 15_000)
          - FrequencyResponse(of: response, sampleRate: 44_100).gain(at: 15_000)
      },
      Figure("Level of noise through a response 40 dB too soft", in: "dB", .near(0, within: 0.3)) {
        unit in
        var file = SoundFile.noise(frames: 3000, channels: 1)
        file.channels[0] = file.channels[0].map { $0 * 0.01 }
        let noise = Signals.noise(frames: 48_000)
        let output = try convolved(noise, with: file, by: unit, ["normalise": 1])
        return Level.rms(output[3000...]) - Level.rms(noise)
      },
      Figure("Loudness of pink noise through a dark response", in: "LU", .near(0, within: 0.5)) {
        unit in
        let dark = SoundFile(
          sampleRate: 48_000, channels: [(0..<4000).map { Float(exp(-Double($0) / 20)) }])
        let noise = pinkNoise(frames: 96_000)
        let output = try convolved(noise, with: dark, by: unit, ["normalise": 2])
        return Loudness.integrated([output]) - Loudness.integrated([noise])
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
          Signals.impulse(frames: 19_200), with: decay, by: unit, sampleRate: 16_000, parameters)
        return Plot.Curve(
          name, Plot.Point.levels(of: output, sampleRate: 16_000, window: 0.02))
      })
  }

  /// Returns pink noise, -3 dB per octave: Julius O. Smith's third-order filter.
  private static func pinkNoise(frames: Int) -> [Float] {
    let (b, a) = (
      [0.049922035, -0.095993537, 0.050612699, -0.004408786],
      [-2.494956002, 2.017265875, -0.5221894]
    )
    var (inputs, outputs) = ([0.0, 0, 0, 0], [0.0, 0, 0])
    return Signals.noise(frames: frames).map { sample in
      inputs = [Double(sample)] + inputs.dropLast()
      let next =
        zip(b, inputs).reduce(0) { $0 + $1.0 * $1.1 }
        - zip(a, outputs).reduce(0) { $0 + $1.0 * $1.1 }
      outputs = [next] + outputs.dropLast()
      return Float(next)
    }
  }

  private static func convolved(
    _ input: [Float], with file: SoundFile, by unit: BuiltInUnit, sampleRate: Double = 48_000,
    _ parameters: [String: Float] = [:]
  ) throws -> [Float] {
    let folder = try TemporaryFolder()
    let plain: [String: Float] = ["mix": 100, "normalise": 0]
    let host = try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [1], outputChannels: [1],
      properties: ["file": file.write(folder.path("response.wav"))],
      parameters: plain.merging(parameters) { $1 })
    return host.play(input)
  }
}
