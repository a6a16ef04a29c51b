/// The formulas of the resonant filters of the analogue filter and of the synthesiser. Frequencies
/// are relative to the cutoff, the resonance is in %.
enum ResonantFilter {
  /// Returns the response of a ladder of four poles L = 1 / (1 + s) after some of them, n:
  /// √(1 + k) Lⁿ / (1 + k L⁴).
  static func ladder(poles: Int = 4, at ratio: Double, resonance: Double) -> Phasor {
    let k = 0.042 * resonance
    let one = Phasor(1)
    let pole = one / Phasor(1, ratio)
    let two = pole * pole
    let powers = [pole, two, two * pole, two * two]
    return Phasor((1 + k).squareRoot()) * powers[poles - 1] / (one + Phasor(k) * powers[3])
  }

  /// Returns what a state-variable filter has below: s² + d s + 1.
  static func poles(at ratio: Double, resonance: Double) -> Phasor {
    let s = Phasor(0, ratio)
    return s * s + Phasor(2 - 0.0202 * resonance) * s + Phasor(1)
  }
}
