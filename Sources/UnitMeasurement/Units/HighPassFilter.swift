extension MeasuredUnit {
  static let highPassFilter = MeasuredUnit(
    "aufx/hpas/bkln", material: nil,
    figures: FilterReference.figures(isHighPass: true)
  ) { unit in
    Plot(
      "Gain of the high-pass filter, cutoff at 200 Hz, by resonance", x: .frequency,
      y: .decibels(-48...36, step: 12),
      try ([-12, 0, 12, 30] as [Float]).map { resonance in
        Plot.Curve(
          "\(Int(resonance)) dB",
          FrequencyResponse(try unit.host(["cutoff": 200, "resonance": resonance])).curve())
      })
  }
}
