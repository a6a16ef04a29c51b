import Foundation

extension MeasuredUnit {
  static let polySynth = MeasuredUnit(
    "aumu/poly/bkln", part: .chords,
    presetParts: parts,
    figures: [
      Figure("Worst harmonic of the waves at 440 Hz beside Fourier's", in: "dB", .atMost(0.01)) {
        unit in
        try harmonics(unit).filter { $0.expected > 1e-4 }.map {
          abs(Level.decibels($0.measured / $0.expected))
        }.worst
      },
      Figure("Highest harmonic that the waves at 440 Hz should not have", in: "", .atMost(1e-5)) {
        unit in
        try harmonics(unit).filter { $0.expected <= 1e-4 }.map(\.measured).worst
      },
      Figure("Worst alias of the waves at 233, 1976 and 4978 Hz", in: "dBc", .atMost(-120)) {
        unit in
        try [Shape.triangle, .saw, .pulse].flatMap { shape in
          try [UInt8(58), 95, 111].map { note in
            let wave = try steady(unit, shape.settings("osc1"), note: note, frames: 8192)
            return LineSpectrum(wave).worstAlias(of: Pitch.ofKey(note))
          }
        }.max() ?? .nan
      },
      Figure("Worst alias of a wave that is reset at 880 Hz", in: "dBc", .atMost(-100)) { unit in
        try syncedWaves(unit).map { wave in
          let spectrum = LineSpectrum(wave.sound)
          let harmonics = (0...27).map { 880 * Double($0) }
          return spectrum.peak(from: 0, to: 20_000, except: harmonics)
            - spectrum.peak(from: 100, to: 20_000)
        }.max() ?? .nan
      },
      Figure(
        "Worst harmonic of a wave that is reset at 880 Hz beside Fourier's", in: "dB", .atMost(0.1)
      ) { unit in
        try syncedWaves(unit).flatMap { wave -> [Double] in
          let loudest = LineSpectrum(wave.sound).peak(from: 100, to: 20_000)
          let period = wave.shape.period(ratio: pow(2, Double(wave.interval) / 12))
          let whole = [Float](wave.sound.suffix(7800))
          return [1.0, 2, 3, 8, 15, 20].compactMap { harmonic in
            let expected = Spectrum.amplitude(
              period, at: harmonic, sampleRate: Double(period.count))
            guard Level.decibels(expected) > loudest - 50 else { return nil }
            return abs(Level.decibels(Spectrum.amplitude(whole, at: 880 * harmonic) / expected))
          }
        }.worst
      },
      // The index is the deviation over the modulator's frequency: the sidebands are J_n of it.
      Figure("Worst sideband beside Bessel's, FM index 0.5, 2 and 5", in: "", .atMost(1e-4)) {
        unit in
        try [0.5, 2, 5].flatMap { index -> [Double] in
          let output = try steady(
            unit,
            [
              "osc1.shape": 0, "osc1.level": 0, "osc2.shape": 0, "osc2.level": 100,
              "osc2.pitch": 36, "osc2.fm": Float(index),
            ], note: 69, frames: 4800)
          return (0...6).map { order in
            let measured = Spectrum.amplitude(output, at: 3520 + 440 * Double(order))
            return abs(measured - abs(jn(Int32(order), index)))
          }
        }.worst
      },
      Figure("Worst harmonic of the sub beside a square's", in: "", .atMost(1e-3)) { unit in
        let sub = try steady(unit, ["osc1.level": 0, "mixer.sub": 100], note: 69, frames: 4800)
        return (1...20).map { harmonic in
          let measured = Spectrum.amplitude(sub, at: 220 * Double(harmonic))
          return abs(measured - Shape.pulse.amplitude(harmonic, width: 0.5))
        }.worst
      },
      // As loud as a saw: 1/3 over all of the spectrum, of which 0.9 passes the half-band filters.
      Figure("Power of the noise", in: "", .near(1.0 / 3, within: 0.05)) { unit in
        let noise = try Self.noise(unit)
        return Level.energy(noise) / Double(noise.count)
      },
      Figure("Correlation of the noise's neighbouring frames", in: "", .near(0, within: 0.12)) {
        unit in
        let noise = try Self.noise(unit)
        let product = zip(noise, noise.dropFirst()).reduce(0) { $0 + Double($1.0 * $1.1) }
        return product / Level.energy(noise)
      },
      Figure(
        "Worst error of the pitch of A2, A4 and C8 at 44.1 and 48 kHz", in: "cents", .atMost(0.1)
      ) { unit in
        try [44_100.0, 48_000].flatMap { sampleRate in
          try [UInt8(45), 69, 108].map { note in
            let sine = try steady(
              unit, ["osc1.shape": 0], sampleRate: sampleRate, note: note, frames: 24_000)
            return Pitch.cents(
              from: Pitch.ofKey(note), to: Pitch.frequency(of: sine, sampleRate: sampleRate))
          }
        }.worst
      },
      Figure("Worst gain of the filters beside their formulas", in: "dB", .atMost(0.1)) { unit in
        try (0..<5).flatMap { mode in
          try [(700.0, 0.0), (1000, 80), (8000, 50)].flatMap { cutoff, resonance in
            try gainErrors(ofFilter: mode, cutoff: cutoff, resonance: resonance, of: unit)
          }
        }.worst
      },
      Figure("Worst error of the pitch of a filter that oscillates", in: "cents", .atMost(3)) {
        unit in
        try [Float(0), 1].flatMap { mode in
          try [200.0, 5000].map { try pitchError(ofFilter: mode, oscillatingAt: $0, of: unit) }
        }.worst
      },
      Figure("Worst alias of a sine at 4978 Hz with 24 dB of drive", in: "dBc", .atMost(-75)) {
        unit in
        let sine = try steady(
          unit, ["osc1.shape": 0, "filter.drive": 24], note: 111, frames: 16_384)
        guard Spectrum.amplitude(sine, at: Pitch.ofKey(111)) > 0.2 else { return .infinity }
        return LineSpectrum(sine).worstAlias(of: Pitch.ofKey(111))
      },
    ]
  ) { unit in
    // Below -120 dB, processors with and without fused multiply-adds differ.
    Plot(
      "Spectrum of a saw at 4978 Hz, and of one that another at 880 Hz resets", x: .frequency,
      y: .decibels(-120...0, step: 20, "Level"),
      [
        Plot.Curve(
          "saw", LineSpectrum(try steady(unit, [:], note: 111, frames: 16_384)).curve()),
        Plot.Curve(
          "synced",
          LineSpectrum(try steady(unit, synced(.saw, by: 19.45), note: 81, frames: 16_384))
            .curve()),
      ])
  }

  private static let parts: [String: Part?] = [
    "Round Bass": .bass, "Acid Line": .bass, "Rubber Bass": .bass, "Reese": .bass, "Sub": .bass,
    "Plucked Bass": .bass, "Talking Bass": .bass, "FM Bass": .bass, "Sync Growl": .bass,
    "Saw Lead": .line, "Super Saw": .line, "Sync Lead": .line, "Hollow Square": .line,
    "Whistle": .line, "Fifth Lead": .line, "Screamer": .line, "Chip Lead": .line,
    "Brass Lead": .line, "Theremin": .line,
  ]

  private enum Shape: Float, CaseIterable {
    case sine, triangle, saw, pulse

    /// Returns the parameters of an oscillator with this shape; a pulse is 30 % wide.
    func settings(_ oscillator: String) -> [String: Float] {
      ["\(oscillator).shape": rawValue, "\(oscillator).width": 30]
    }

    /// Returns the amplitude of a harmonic by Fourier's series.
    func amplitude(_ harmonic: Int, width: Double = 0.3) -> Double {
      let n = Double(harmonic)
      switch self {
      case .sine: return harmonic == 1 ? 1 : 0
      case .triangle: return harmonic.isMultiple(of: 2) ? 0 : 8 / (.pi * .pi * n * n)
      case .saw: return 2 / (.pi * n)
      case .pulse: return abs(4 / (.pi * n) * sin(.pi * n * width))
      }
    }

    /// Returns a period of the wave that is reset when it has turned `ratio` times.
    func period(ratio: Double) -> [Float] {
      let points = 1 << 15
      return (0..<points).map { point -> Float in
        let phase = ((Double(point) + 0.5) / Double(points) * ratio).truncatingRemainder(
          dividingBy: 1)
        switch self {
        case .sine: return Float(sin(2 * .pi * phase))
        case .triangle:
          return Float(1 - 4 * abs((phase + 0.25).truncatingRemainder(dividingBy: 1) - 0.5))
        case .saw: return Float(2 * phase - 1)
        case .pulse: return phase < 0.3 ? 1.4 : -0.6
        }
      }
    }
  }

  /// Returns harmonics 1 to 40 of every shape at 440 Hz, with their amplitudes by Fourier's series.
  private static func harmonics(
    _ unit: BuiltInUnit
  ) throws -> [(measured: Double, expected: Double)] {
    try Shape.allCases.flatMap { shape in
      let output = try steady(unit, shape.settings("osc1"), note: 69, frames: 4800)
      return (1...40).map { harmonic in
        let measured = Spectrum.amplitude(output, at: 440 * Double(harmonic))
        return (measured: measured, expected: shape.amplitude(harmonic))
      }
    }
  }

  /// Returns the parameters of an oscillator that the first one, some semitones below, resets.
  private static func synced(_ shape: Shape, by semitones: Float) -> [String: Float] {
    shape.settings("osc2").merging(
      ["osc1.level": 0, "osc2.level": 100, "osc2.sync": 1, "osc2.pitch": semitones]) { $1 }
  }

  /// Returns every shape that an oscillator at 880 Hz resets, by two intervals.
  private static func syncedWaves(
    _ unit: BuiltInUnit
  ) throws -> [(shape: Shape, interval: Float, sound: [Float])] {
    try Shape.allCases.flatMap { shape in
      try [Float(7.3), 19.45].map { interval in
        let sound = try steady(unit, synced(shape, by: interval), note: 81, frames: 8192)
        return (shape: shape, interval: interval, sound: sound)
      }
    }
  }

  private static func noise(_ unit: BuiltInUnit) throws -> [Float] {
    try steady(unit, ["osc1.level": 0, "mixer.noise": 100], note: 69, frames: 48_000)
  }

  /// Returns the gain of a filter at a frequency beside its cutoff.
  private static func formula(ofFilter mode: Int, at ratio: Double, resonance: Double) -> Double {
    if mode == 0 { return ResonantFilter.ladder(at: ratio, resonance: resonance).magnitude }
    let (s, one) = (Phasor(0, ratio), Phasor(1))
    let top = [one, s + s, s * s, s * s + one][mode - 1]
    return (top / ResonantFilter.poles(at: ratio, resonance: resonance)).magnitude
  }

  /// Returns the gains at harmonics of 440 Hz beside the formula, dB.
  private static func gainErrors(
    ofFilter mode: Int, cutoff: Double, resonance: Double, of unit: BuiltInUnit
  ) throws -> [Double] {
    let settings: [String: Float] = [
      "osc1.level": 1, "filter.mode": Float(mode), "filter.cutoff": Float(cutoff),
      "filter.resonance": Float(resonance),
    ]
    let saw = [Float](try steady(unit, settings, note: 69, frames: 9600).suffix(4800))
    return [1, 2, 3, 5, 10, 18, 25, 33].compactMap { harmonic in
      let frequency = 440 * Double(harmonic)
      let expected = formula(ofFilter: mode, at: frequency / cutoff, resonance: resonance)
      guard expected > 0.1 else { return nil }
      let input = 0.01 * Shape.saw.amplitude(harmonic)
      return Level.decibels(Spectrum.amplitude(saw, at: frequency) / input / expected)
    }
  }

  /// Returns the pitch of a filter at full resonance that a little noise has excited, beside its
  /// cutoff, cents.
  private static func pitchError(
    ofFilter mode: Float, oscillatingAt cutoff: Double, of unit: BuiltInUnit
  ) throws -> Double {
    let host = try host(
      unit,
      [
        "osc1.level": 0, "mixer.noise": 3, "filter.mode": mode, "filter.cutoff": Float(cutoff),
        "filter.resonance": 100,
      ])
    let output = host.render(
      frames: 48_000,
      events: [.on(69), .parameter(host.address("mixer.noise"), 0, at: 2400)])[0]
    let first = Spectrum.transform([Float](output[24_000..<36_000]), at: cutoff)
    let second = Spectrum.transform([Float](output[36_000...]), at: cutoff)
    guard first.magnitude / 6000 > 0.2 else { return .infinity }
    let drift = (second / first).phase / (2 * .pi) / 0.25
    return Pitch.cents(from: cutoff, to: cutoff + drift)
  }

  /// Creates a synth whose first oscillator sounds alone and without a filter; a note stays full.
  private static func host(
    _ unit: BuiltInUnit, sampleRate: Double = 48_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    let plain: [String: Float] = [
      "level": 0, "drift": 0, "filter.mode": 5, "filter.envelope": 0, "amplifier.attack": 0.001,
      "amplifier.sustain": 100, "amplifier.velocity": 0,
    ]
    return try unit.host(sampleRate: sampleRate, plain.merging(parameters) { $1 })
  }

  /// Returns the last frames of a note that has begun before.
  private static func steady(
    _ unit: BuiltInUnit, _ parameters: [String: Float], sampleRate: Double = 48_000, note: UInt8,
    frames: Int
  ) throws -> [Float] {
    let host = try host(unit, sampleRate: sampleRate, parameters)
    return [Float](
      host.render(frames: 2400 + frames, events: [.on(note)])[0].suffix(frames))
  }
}
