import AudioUnits
import Foundation

/// Test sounds for presets: four seconds at 48 kHz, all equally loud.
package enum Material: String, CaseIterable, Sendable, CustomStringConvertible {
  case guitar, bass, drums, chords, voice, mix

  package var description: String { rawValue }

  /// The loudness of one channel, LUFS.
  package static let loudness = -21.0

  static let frames = 192_000

  package var samples: [Float] { Self.all[self] ?? [] }

  private static let all = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, levelled($0.synthesised)) })

  private var synthesised: [Float] {
    switch self {
    case .guitar: Guitar.strummed
    case .bass: Guitar.bassLine
    case .drums: Self.looped(Self.drumLoop)
    case .chords: Self.playedChords
    case .voice: Self.looped(Self.speech)
    case .mix: Self.mixed
    }
  }

  /// Bass, drums, chords and voice, equally loud.
  private static var mixed: [Float] {
    let parts = [Material.bass, .drums, .chords, .voice].map { levelled($0.synthesised) }
    return (0..<frames).map { frame in parts.reduce(0) { $0 + $1[frame] } }
  }

  private static func levelled(_ samples: [Float]) -> [Float] {
    let gain = Float(Level.amplitude(loudness - Loudness.integrated([samples])))
    return samples.map { $0 * gain }
  }

  private static func looped(_ samples: [Float]) -> [Float] {
    (0..<frames).map { samples[$0 % samples.count] }
  }

  private static var drumLoop: [Float] {
    let path = DataFolder.find("racks/sounds/drum-loop.flac") ?? "drum-loop.flac"
    guard let file = try? SoundFile(reading: path) else { fatalError("no \(path)") }
    return file.channels[0]
  }

  /// A sentence by espeak-ng, whose 22.05 kHz are read as 24 kHz; if it is not installed, syllables
  /// of two formants.
  private static var speech: [Float] {
    let sentence = "The north wind and the sun disputed which was the stronger."
    guard let spoken = try? Speech.speak(sentence)?.channels[0] else {
      return Speech.synthesise(frames: frames)
    }
    return zip(spoken, spoken.dropFirst()).flatMap { [$0, ($0 + $1) / 2] }
  }

  /// Four chords of one second, each with four notes of two detuned voices with falling harmonics.
  private static var playedChords: [Float] {
    let notes: [[Double]] = [
      [57, 60, 64, 69], [53, 57, 60, 65], [55, 60, 64, 67], [55, 59, 62, 67],
    ]
    var sum = [Float](repeating: 0, count: frames)
    for (chord, notes) in notes.enumerated() {
      for (note, detune) in notes.flatMap({ [($0, -0.04), ($0, 0.04)] }) {
        let step = 2 * .pi * 440 * pow(2, (note + detune - 69) / 12) / 48_000
        for harmonic in 1...12 {
          for frame in 0..<48_000 {
            let fade = min(1, Double(min(frame, 48_000 - frame)) / 2400)
            sum[chord * 48_000 + frame] += Float(
              fade * sin(step * Double(harmonic * frame)) / pow(Double(harmonic), 1.5))
          }
        }
      }
    }
    return sum
  }
}
