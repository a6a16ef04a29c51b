import CUnits

/// The spectrum of the newest 4096 frames, both channels together.
final class SpectrumAnalyser {
  private static let bands = 120

  private let spectrum: OpaquePointer
  private var sound = [Float](repeating: 0, count: Int(BL_SPECTRUM_FRAMES))

  /// Nil where memory is short.
  init?(sampleRate: Double) {
    guard let made = bl_spectrum_create(sampleRate, UInt32(Self.bands), 20, 20_000) else {
      return nil
    }
    spectrum = made
  }

  deinit { bl_spectrum_destroy(spectrum) }

  /// - Parameter sound: since the last call.
  /// - Returns: levels in dB.
  func add(_ sound: [SIMD2<Float>]) -> [Float] {
    let new = sound.suffix(self.sound.count).map { ($0.x + $0.y) / 2 }
    self.sound = self.sound.dropFirst(new.count) + new
    var levels = [Float](repeating: 0, count: Self.bands)
    bl_spectrum_measure(spectrum, self.sound, &levels)
    return levels.map { $0.rounded(toPart: 10) }
  }
}
