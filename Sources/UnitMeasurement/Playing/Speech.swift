import Foundation

/// Synthetic speech: a voice's pulses through two formants that move from vowel to vowel, in
/// syllables with pauses, and hiss between them.
package enum Speech {
  /// The first and second formant of a, e, i, o and u, Hz.
  private static let vowels: [(Double, Double)] = [
    (730, 1090), (530, 1840), (270, 2290), (570, 840), (300, 870),
  ]

  /// Returns one channel with a peak of `peak`, the same at every call.
  package static func synthesise(
    frames: Int, sampleRate: Double = 48_000, peak: Float = 0.7
  ) -> [Float] {
    var random = Random(seed: 4)
    var filters = [Resonator(), Resonator()]
    var phase = 0.0
    var samples: [Float] = []
    samples.reserveCapacity(frames)
    for frame in 0..<frames {
      let time = Double(frame) / sampleRate
      let syllable = Int(time / 0.22)
      let share = time / 0.22 - Double(syllable)
      let isPause = syllable % 6 == 5
      let envelope = isPause ? 0 : pow(sin(.pi * share), 0.6)
      phase += (118 + 14 * sin(2 * .pi * 0.9 * time) - 20 * share) / sampleRate
      let isPulse = phase >= 1
      if isPulse { phase -= 1 }
      let breath = Double.random(in: -1...1, using: &random)
      let hiss = share < 0.25 && syllable % 2 == 1 && !isPause ? 0.02 * breath : 0
      let source = (isPulse ? 1 : 0) + 0.01 * breath
      let (first, second) = vowels[syllable * 7 % vowels.count]
      let voiced =
        filters[0].filter(source, frequency: first, width: 90, sampleRate)
        + 0.6 * filters[1].filter(source, frequency: second, width: 120, sampleRate)
      samples.append(Float(envelope * voiced + hiss))
    }
    let loudest = samples.map(\.magnitude).max() ?? 1
    return samples.map { $0 / max(loudest, 1e-9) * peak }
  }

  /// A formant resonator of two conjugate poles: D. H. Klatt, "Software for a cascade/parallel
  /// formant
  /// synthesizer", 1980.
  private struct Resonator {
    private var last = 0.0
    private var beforeLast = 0.0

    mutating func filter(
      _ input: Double, frequency: Double, width: Double, _ sampleRate: Double
    ) -> Double {
      let radius = exp(-.pi * width / sampleRate)
      let near = 2 * radius * cos(2 * .pi * frequency / sampleRate)
      let far = -radius * radius
      let output = (1 - near - far) * input + near * last + far * beforeLast
      (last, beforeLast) = (output, last)
      return output
    }
  }

  /// Returns a sentence spoken by espeak-ng, at its sample rate; nil if it is not installed.
  package static func speak(_ sentence: String) throws -> SoundFile? {
    let program = "/usr/bin/espeak-ng"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-w", folder.path("speech.wav"), sentence]
    try process.run()
    process.waitUntilExit()
    return try SoundFile(reading: folder.path("speech.wav"))
  }
}
