import CUnits
import Glibc

/// An analyser of the spectrum of the newest 4096 frames: the mean power of both channels in each band.
final class SpectrumAnalyser {
  private static let bands = 120

  private let spectrum: OpaquePointer
  private var sound = [SIMD2<Float>](repeating: .zero, count: Int(BL_SPECTRUM_FRAMES))

  /// Creates an analyser with bands from 20 Hz to 20 kHz; nil if memory is short.
  init?(sampleRate: Double) {
    guard let made = bl_spectrum_create(sampleRate, UInt32(Self.bands), 20, 20_000) else {
      return nil
    }
    spectrum = made
  }

  deinit { bl_spectrum_destroy(spectrum) }

  /// Adds sound.
  ///
  /// - Parameter sound: the frames since the last call, left and right.
  /// - Returns: the level of each band, in dB.
  func add(_ sound: [SIMD2<Float>]) -> [Float] {
    self.sound = (self.sound + sound).suffix(self.sound.count)
    let (left, right) = (levels(of: self.sound.map(\.x)), levels(of: self.sound.map(\.y)))
    return zip(left, right).map { left, right in
      let power = (pow(10, left / 10) + pow(10, right / 10)) / 2
      return (10 * log10(power)).rounded(toPart: 10)
    }
  }

  private func levels(of sound: [Float]) -> [Float] {
    var levels = [Float](repeating: 0, count: Self.bands)
    bl_spectrum_measure(spectrum, sound, &levels)
    return levels
  }
}
