extension MeasuredUnit {
  static let highPassFilter = MeasuredUnit(
    "aufx/hpas/bkln", material: nil,
    figures: [
      Figure("Gain at a cutoff of 1 kHz", in: "dB", .near(-3.01, within: 0.02)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 1000])).gain(at: 1000)
      },
      Figure("Gain there with 20 dB of resonance", in: "dB", .near(16.99, within: 0.02)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 1000, "resonance": 20])).gain(at: 1000)
      },
      Figure(
        "Slope from 100 to 50 Hz with the cutoff at 1 kHz", in: "dB", .near(-12.04, within: 0.1)
      ) {
        unit in
        let response = FrequencyResponse(try unit.host(["cutoff": 1000]))
        return response.gain(at: 50) - response.gain(at: 100)
      },
      Figure(
        "Gain at 16 kHz with the cutoff at 12 kHz, as an analogue filter", in: "dB",
        .near(-1.194, within: 0.05)
      ) { unit in
        FrequencyResponse(try unit.host(["cutoff": 12_000])).gain(at: 16_000)
      },
    ]
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
