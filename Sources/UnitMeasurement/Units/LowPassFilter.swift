extension MeasuredUnit {
  static let lowPassFilter = MeasuredUnit(
    "aufx/lpas/bkln", material: nil,
    figures: [
      Figure("Gain at a cutoff of 1 kHz", in: "dB", .near(-3.01, within: 0.02)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 1000])).gain(at: 1000)
      },
      Figure("Gain there with 20 dB of resonance", in: "dB", .near(16.99, within: 0.02)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 1000, "resonance": 20])).gain(at: 1000)
      },
      Figure(
        "Slope from 1 to 2 kHz with the cutoff at 100 Hz", in: "dB", .near(-12.04, within: 0.1)
      ) {
        unit in
        let response = FrequencyResponse(try unit.host(["cutoff": 100]))
        return response.gain(at: 2000) - response.gain(at: 1000)
      },
      Figure(
        "Gain at 16 kHz with the cutoff at 8 kHz, as an analogue filter", in: "dB",
        .near(-12.3, within: 0.05)
      ) { unit in
        FrequencyResponse(try unit.host(["cutoff": 8000])).gain(at: 16_000)
      },
      Figure("The same at 48 dB per octave", in: "dB", .near(-48.16, within: 0.1)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 8000, "slope": 3])).gain(at: 16_000)
      },
    ]
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
