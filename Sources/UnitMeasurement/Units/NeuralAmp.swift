import Foundation

extension MeasuredUnit {
  static let neuralAmp = MeasuredUnit(
    "aufx/namp/bkln", material: nil,
    figures: [
      Figure("Layers as in A1: largest difference from the definition", in: "dB", .atMost(-100)) {
        unit in
        try difference(from: likeA1, unit)
      },
      Figure("Layers as in A2: largest difference from the definition", in: "dB", .atMost(-100)) {
        unit in
        try difference(from: likeA2, unit)
      },
      Figure("LSTM: largest difference from the definition", in: "dB", .atMost(-100)) { unit in
        try difference(from: AmpModel.lstm(hidden: 8, layers: 2), unit)
      },
      Figure(
        "Gain at 18.5 kHz of a model at 48 kHz in a rack at 44.1 kHz", in: "dB",
        .near(0, within: 0.1)
      ) {
        unit in
        let sine = Signals.sine(
          frequency: 18_500, sampleRate: 44_100, amplitude: 0.5, frames: 8000)
        let output = try host(unit, AmpModel.linear([1]), sampleRate: 44_100).play(sine)
        let fit = SineFit(output[4000...], frequency: 18_500, sampleRate: 44_100)
        return 20 * log10(fit.amplitude / 0.5)
      },
      Figure("Sound of silence", in: "dB", .atMost(-200)) { unit in
        let model = AmpModel.convNet(
          channels: 4, dilations: [1, 2], normalises: true, activation: "Tanh")
        let input = Signals.noise(frames: 100) + Signals.constant(0, frames: 1000)
        return Level.peak(try host(unit, model).play(input)[(100 + model.reach)...])
      },
      Figure("Input and treble moved on 1 kHz: farther than 1 kHz off", in: "dBc", .atMost(-80)) {
        unit in
        try [("input", -6), ("tone.treble", 6)].map { (knob: String, value: Float) in
          try host(unit, AmpModel.linear([1])).spur(moving: knob, to: value)
        }.max() ?? 0
      },
    ]
  ) { unit in
    let knobs = ["bass", "middle", "treble", "presence"]
    return Plot(
      "Response of each tone knob at 9 dB", x: .frequency, y: .decibels(-3...12, step: 3),
      try knobs.map { knob in
        let host = try UnitHost(
          unit.descriptor, inputChannels: [1], outputChannels: [1],
          parameters: ["tone.\(knob)": 9])
        return Plot.Curve(knob, FrequencyResponse(host).curve())
      })
  }

  private static let likeA1 = AmpModel.waveNet([
    AmpModel.Layers(
      channels: 16, kernels: [3, 3, 3], dilations: [1, 8, 64], headSize: 8, headBias: false),
    AmpModel.Layers(channels: 8, kernels: [3, 3, 3], dilations: [1, 2, 32]),
  ])

  private static let likeA2 = AmpModel.waveNet([
    AmpModel.Layers(
      channels: 8, kernels: [6, 6, 15, 6], dilations: [1, 41, 13, 3], activation: "LeakyReLU",
      headKernel: 16, isNew: true)
  ])

  private static func host(
    _ unit: BuiltInUnit, _ model: AmpModel, sampleRate: Double = 48_000
  ) throws -> UnitHost {
    let folder = try TemporaryFolder()
    let file = try folder.write("amp.nam", bytes: Array(model.file(version: "0.7.0").utf8))
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [1], outputChannels: [1],
      properties: ["file": file], parameters: ["output": 0])
  }

  /// Returns the largest difference, relative to full scale or to a louder sample.
  private static func difference(from model: AmpModel, _ unit: BuiltInUnit) throws -> Double {
    let input = Signals.noise(frames: 1000)
    let output = try host(unit, model).play(input)
    let exact = model(input)
    let error = zip(output, exact).map { abs(Double($0) - $1) }.max() ?? 0
    return 20 * log10(error / max(1, exact.map(abs).max() ?? 0))
  }
}
