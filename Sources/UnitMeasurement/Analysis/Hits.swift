import Foundation

/// Drum hits, to test pitch shifters and time stretchers: windows that are too long spread them.
package enum Hits {
  private static let (count, spacing) = (6, 24_000)

  /// Six noise bursts that decay by 60 dB in 10 ms, half a second apart, and half a second of silence.
  package static var sound: [Float] {
    var sound = Signals.constant(0, frames: (count + 1) * spacing)
    let noise = Signals.noise(frames: count * 960)
    for (index, sample) in noise.enumerated() {
      let (hit, frame) = index.quotientAndRemainder(dividingBy: 960)
      sound[hit * spacing + spacing / 2 + frame] = 0.5 * sample * Float(exp(-Double(frame) / 72))
    }
    return sound
  }

  /// Returns the energy in the strongest 5 ms around each hit, relative to the rest, dB. The output
  /// is `stretch` times as long as the sound, and `latency` frames late.
  package static func sharpness(
    of output: [Float], stretch: Double = 1, latency: Int = 0
  ) -> Double {
    let frames = Int(Double(spacing) * stretch)
    var (strongest, all) = (0.0, 0.0)
    for hit in 0..<count {
      let start = latency + hit * frames
      var sums = [0.0]
      for sample in output[start..<start + frames] {
        sums.append(sums[sums.count - 1] + Double(sample) * Double(sample))
      }
      strongest += zip(sums.dropFirst(240), sums).map { $0 - $1 }.max() ?? 0
      all += sums[sums.count - 1]
    }
    return 10 * log10(strongest / (all - strongest))
  }
}
