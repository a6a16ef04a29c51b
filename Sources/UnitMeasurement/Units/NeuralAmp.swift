import Foundation

extension MeasuredUnit {
  static let neuralAmp = MeasuredUnit(
    "aufx/namp/bkln", material: nil,
    figures: [
      Figure(
        "Output of fourteen models: largest difference from the definition", in: "dB",
        .atMost(-113.97)
      ) { unit in
        let input = Signals.noise(frames: 400)
        return try AmpModel.examples.map { try difference(from: $0, with: input, unit) }.max() ?? 0
      },
      Figure(
        "Output of a model around silence: largest difference from the definition", in: "dB",
        .atMost(-113.97)
      ) { unit in
        try difference(from: paused, with: pause, unit)
      },
      Figure("Peak of what a model makes of long silence", in: "dB", .atMost(-400)) { unit in
        let output = try host(unit, paused).render(
          inputs: [[pause]], frames: pause.count, blockSizes: [64, 50])[0]
        return Level.peak(output[(300 + paused.reach)..<(800 + paused.reach)])
      },
      Figure(
        "Gain at 18.5 kHz of a model at 48 kHz in a rack at 44.1 kHz", in: "dB",
        .near(0, within: 0.01)
      ) { unit in
        let sine = Signals.sine(
          frequency: 18_500, sampleRate: 44_100, amplitude: 0.5, frames: 8000)
        let output = try host(unit, AmpModel.linear([1]), sampleRate: 44_100).play(sine)
        let fit = SineFit(output[4000...], frequency: 18_500, sampleRate: 44_100)
        return 20 * log10(fit.amplitude / 0.5)
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

  /// A model, and noise around a silence so long that the model computes nothing.
  private static let paused = AmpModel.examples[2]
  private static let pause =
    Signals.noise(frames: 300) + Signals.constant(0, frames: paused.reach + 500)
    + Signals.noise(frames: 300, seed: 5)

  private static func host(
    _ unit: BuiltInUnit, _ model: AmpModel, sampleRate: Double = 48_000
  ) throws -> UnitHost {
    let folder = try TemporaryFolder()
    let file = try folder.write("amp.nam", bytes: Array(model.file(version: "0.7.0").utf8))
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [1], outputChannels: [1],
      properties: ["file": file], parameters: ["output": 0])
  }

  /// Returns the largest difference, relative to full scale, dB; 0 dB for a model that is nearly
  /// silent.
  private static func difference(
    from model: AmpModel, with input: [Float], _ unit: BuiltInUnit
  ) throws -> Double {
    let output = try host(unit, model).render(
      inputs: [[input]], frames: input.count, blockSizes: [64, 1, 300, 17])[0]
    let exact = model(input)
    let loudest = exact.map(abs).max() ?? 0
    return loudest > 0.002 ? Level.decibels(Deviation.worst(of: output, from: exact)) : 0
  }
}
