extension UnitHost {
  /// Returns the highest line above 2 kHz that a parameter's 20 ms ramp adds to a 1 kHz sine,
  /// around the time of the ramp, dBc.
  package func spur(moving parameter: String, to value: Float, channels: Int = 1) -> Double {
    let sine = Signals.sine(frequency: 1000, sampleRate: sampleRate, frames: 72_000).enumerated()
      .map { $1 * Float(min(1, Double($0) / 24_000)) }
    let output = play(
      [[Float]](repeating: sine, count: channels),
      events: [.knob(address(parameter), value, frames: Int(0.02 * sampleRate), at: 67_000)])
    let spectrum = LineSpectrum(output[0].suffix(8192), sampleRate: sampleRate)
    return spectrum.peak(from: 2000, to: 20_000) - spectrum.level(at: 1000)
  }
}
