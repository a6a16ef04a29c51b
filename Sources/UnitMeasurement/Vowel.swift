import Foundation

/// A sung "a": harmonics of one pitch through four resonances, the formants.
struct Vowel {
  /// The pitch, Hz.
  let pitch: Double
  private static let formants = [(700.0, 80.0), (1220, 90), (2600, 120), (3500, 150)]

  /// Returns the formants' response at a frequency in Hz: 1 / Π (1 - (f/F)² + j f B/F²), scaled to
  /// a suitable level.
  private func response(at frequency: Double) -> (amplitude: Double, phase: Double) {
    var amplitude = 0.05
    var phase = 0.0
    for (formant, width) in Self.formants {
      let real = 1 - pow(frequency / formant, 2)
      let imaginary = frequency * width / pow(formant, 2)
      amplitude /= (real * real + imaginary * imaginary).squareRoot()
      phase -= atan2(imaginary, real)
    }
    return (amplitude, phase)
  }

  /// Returns the amplitude of a harmonic at that frequency, Hz.
  func amplitude(at frequency: Double) -> Double { response(at: frequency).amplitude }

  /// Returns one channel, with harmonics up to 8 kHz.
  func sound(frames: Int, sampleRate: Double = 48_000) -> [Float] {
    var sum = [Double](repeating: 0, count: frames)
    for frequency in stride(from: pitch, to: 8000, by: pitch) {
      let (amplitude, phase) = response(at: frequency)
      let step = 2 * .pi * frequency / sampleRate
      for frame in sum.indices { sum[frame] += amplitude * cos(step * Double(frame) + phase) }
    }
    return sum.map { Float($0) }
  }
}
