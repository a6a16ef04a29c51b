import BacklineTestSupport
import Foundation

/// An electric guitar into nothing but its cable: plucked strings after Jaffe and Smith, "Extensions
/// of the Karplus-Strong plucked-string algorithm", Computer Music Journal 7 (2), 1983, with a
/// pick-up, hum and hiss.
enum Guitar {
  /// Chords of E minor, strummed twice a second, every other one damped early.
  static var strummed: [Float] {
    var sum = [Float](repeating: 0, count: Material.frames)
    for stroke in 0..<8 {
      let duration = stroke.isMultiple(of: 2) ? 24_000 : 9_000
      for (string, note) in [40.0, 47, 52, 55, 59, 64].enumerated() {
        let start = stroke * 24_000 + string * 500
        let samples = plucked(
          frequency: 440 * pow(2, (note - 69) / 12), frames: duration,
          seed: UInt64(stroke * 6 + string + 1))
        for (frame, sample) in samples.enumerated() where start + frame < sum.count {
          sum[start + frame] += sample
        }
      }
    }
    let hiss = Signals.noise(frames: sum.count, seed: 99)
    return sum.indices.map { frame in
      let turns = 2 * .pi * 50 * Double(frame) / 48_000
      let hum = 0.002 * (sin(turns) + 0.5 * sin(3 * turns))
      return sum[frame] + Float(hum) + 0.0003 * hiss[frame]
    }
  }

  /// A string, plucked at a seventh of its length and heard by a pick-up at a fifth.
  static func plucked(frequency: Double, frames: Int, seed: UInt64) -> [Float] {
    // The averaging filter delays by half a frame, the all-pass by the rest.
    let period = 48_000 / frequency - 0.5
    let length = Int(period - 0.2)
    let rest = period - Double(length)
    let coefficient = (1 - rest) / (1 + rest)
    let noise = Signals.noise(frames: length, seed: seed)
    let pluck = length / 7
    var line = noise.indices.map { Double(noise[$0] - noise[($0 + length - pluck) % length]) }
    var (place, last, allpassInput, allpassOutput) = (0, 0.0, 0.0, 0.0)
    var output = [Double](repeating: 0, count: frames)
    for frame in 0..<frames {
      let sample = line[place]
      output[frame] = sample
      let averaged = 0.9985 * 0.5 * (sample + last)
      last = sample
      allpassOutput = coefficient * (averaged - allpassOutput) + allpassInput
      allpassInput = averaged
      line[place] = allpassOutput
      place = (place + 1) % length
    }
    let pickUp = length / 5
    return output.indices.map { frame in
      let fade = min(1, Double(frames - frame) / 240)
      return Float(fade * (output[frame] - (frame >= pickUp ? output[frame - pickUp] : 0)))
    }
  }
}
