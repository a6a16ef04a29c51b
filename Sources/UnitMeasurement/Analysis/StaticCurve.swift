/// The static curve of compressors: Giannoulis, Massberg and Reiss, "Digital Dynamic Range
/// Compressor Design", J. Audio Eng. Soc. 60 (6), 2012, equation 4.
enum StaticCurve {
  /// Returns the part that the ratio applies to of a level above the threshold, dB: nothing below
  /// the knee, a square within it, and all above it.
  static func excess(_ over: Double, knee: Double) -> Double {
    if 2 * over >= knee { return over }
    let bend = max(0, over + knee / 2)
    return bend * bend / (2 * max(knee, 1e-9))
  }
}
