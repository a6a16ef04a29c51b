extension MeasuredUnit {
  static let lowPassFilter = MeasuredUnit(
    "aufx/lpas/bkln", material: nil,
    figures: FilterReference.figures(isHighPass: false)
  ) { unit in
    Plot(
      "Gain of the low-pass filter, cutoff at 1 kHz, by resonance", x: .frequency,
      y: .decibels(-60...36, step: 12),
      try ([-12, 0, 12, 30] as [Float]).map { resonance in
        Plot.Curve(
          "\(Int(resonance)) dB",
          FrequencyResponse(try unit.host(["cutoff": 1000, "resonance": resonance])).curve())
      })
  }
}
