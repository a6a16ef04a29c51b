import CSoundLibraries

/// Writes samples to an open sound file: unchanged, or rounded to the file's integers.
///
/// libsndfile's own conversion truncates, so samples are converted here: dithered if requested,
/// rounded to the nearest integer, clipped at full scale.
struct SampleEncoder {
  /// The integers per full scale; nil for files of floats and for compressed ones.
  private let scale: Double?
  private let isDithered: Bool
  /// The shift that puts samples into the high bits of 32.
  private let shift: Int32
  private var integers: [Int32] = []
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(bits: Int32?, isDithered: Bool) {
    scale = bits.map { Double(Int32(1) << ($0 - 1)) }
    shift = 32 - (bits ?? 32)
    self.isDithered = isDithered
  }

  /// Appends frames × channels; returns the number of frames that were written.
  mutating func write(
    _ samples: UnsafePointer<Float>, frames: Int, channels: Int, to file: OpaquePointer
  ) -> Int {
    guard let scale else { return Int(sf_writef_float(file, samples, sf_count_t(frames))) }
    let count = frames * channels
    if integers.count < count { integers = [Int32](repeating: 0, count: count) }
    for index in 0..<count {
      let exact = Double(samples[index]) * scale + (isDithered ? dither() : 0)
      // The comparison is false for NaN.
      let clipped = exact >= -scale ? min(exact, scale - 1) : exact < 0 ? -scale : 0
      integers[index] = Int32(clipped.rounded()) << shift
    }
    return Int(sf_writef_int(file, integers, sf_count_t(frames)))
  }

  /// Returns triangular dither, less than one integer step to either side; the same sequence in
  /// each file.
  private mutating func dither() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let (one, other) = (
      UInt32(truncatingIfNeeded: random >> 48), UInt32(truncatingIfNeeded: random >> 32) & 0xFFFF
    )
    return (Double(one) - Double(other)) / 65_536
  }
}
