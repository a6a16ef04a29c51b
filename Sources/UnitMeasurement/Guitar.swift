import Foundation

/// Direct guitar sounds: plucked strings after Jaffe and Smith, "Extensions of the Karplus-Strong
/// plucked-string algorithm", Computer Music Journal 7 (2), 1983, a pick-up's coil, and a guitar's
/// hum and hiss.
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
    let heard = throughCoil(sum)
    let hiss = Signals.noise(frames: heard.count, seed: 99)
    return heard.indices.map { frame in
      let turns = 2 * .pi * 50 * Double(frame) / 48_000
      let hum = 0.0015 * (sin(turns) + 0.5 * sin(3 * turns))
      return heard[frame] + Float(hum) + 0.000225 * hiss[frame]
    }
  }

  /// Eighth notes of a bass guitar around E and A, at 120 beats per minute.
  static var bassLine: [Float] {
    let notes: [Double] = [28, 28, 31, 33, 28, 40, 38, 35, 33, 33, 36, 33, 31, 31, 35, 26]
    return throughCoil(
      notes.enumerated().flatMap { place, note in
        plucked(
          frequency: 440 * pow(2, (note - 69) / 12), frames: 12_000, seed: UInt64(101 + place))
      })
  }

  /// Returns a string plucked at a seventh of its length, with a pick-up at a fifth.
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

  /// Applies the coil's resonance with the cable's capacitance: two poles at 2.5 kHz with a Q of 1,
  /// as of a humbucker of 4.5 H with 900 pF. Without it a string is brighter than any guitar's.
  private static func throughCoil(_ samples: [Float]) -> [Float] {
    let angle = 2 * Double.pi * 2500 / 48_000
    let width = sin(angle) / 2
    let gain = (1 - cos(angle)) / 2 / (1 + width)
    let (near, far) = (2 * cos(angle) / (1 + width), -(1 - width) / (1 + width))
    var state = (0.0, 0.0)
    return samples.map { sample in
      let input = gain * Double(sample)
      let output = input + state.0
      state = (2 * input + near * output + state.1, input + far * output)
      return Float(output)
    }
  }
}
