import BacklineTestSupport
import Foundation
import Testing

@Suite struct OctaverTests {
  private let unit = BuiltInUnit("aufx/octv/bkln")
  private static let silent: [String: Float] = [
    "dry": -96, "up": -96, "down": -96, "down_two": -96,
  ]

  private func play(_ voice: String, _ input: [Float]) throws -> [Float] {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: Self.silent.merging([voice: 0]) { $1 })
    return host.render(inputs: [[input]], frames: input.count)[0]
  }

  @Test func theDrySoundPassesUnchanged() throws {
    let noise = Signals.noise(frames: 900)
    #expect(try play("dry", noise) == noise)
  }

  /// Every partial of a chord moves, and nothing is left where it was.
  @Test(arguments: [("up", 2), ("down", 0.5), ("down_two", 0.25)] as [(String, Double)])
  func everyNoteOfAChordMoves(voice: String, ratio: Double) throws {
    let notes = [400.0, 700, 1500, 4000]
    let sines = notes.map { Signals.sine(frequency: $0, amplitude: 0.1, frames: 14_400) }
    let chord = (0..<14_400).map { frame in sines.reduce(0) { $0 + $1[frame] } }
    let output = Array(try play(voice, chord).suffix(9600))
    for note in notes {
      let level = Spectrum.amplitude(output, at: note * ratio)
      #expect(abs(20 * log10(level / 0.1)) < 0.5, "\(note) Hz")
      #expect(Spectrum.amplitude(output, at: note) < 1e-3)
    }
  }

  /// From band to band a bend of three semitones keeps its level: halved phases do not meet half a turn apart.
  @Test(arguments: ["up", "down", "down_two"]) func aGlideKeepsItsLevel(voice: String) throws {
    var phase = 0.0
    let glide = (0..<16_000).map { frame in
      phase += 2 * .pi * 300 * pow(2, 0.25 * Double(frame) / 16_000) / 48_000
      return Float(0.5 * sin(phase))
    }
    let output = try play(voice, glide)
    for start in stride(from: 4000, to: 15_000, by: 1000) {
      let crest = output[start..<start + 1000].reduce(0) { max($0, abs($1)) }
      #expect(crest > 0.47 && crest < 0.53, "frame \(start): \(crest)")
    }
  }

  /// A voice that nobody hears is not computed; turned up while a note sounds, it is there with its fader.
  @Test(arguments: ["up", "down", "down_two"]) func aVoiceTurnedUpIsThere(voice: String) throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: Self.silent)
    let tone = Signals.sine(frequency: 400, amplitude: 0.5, frames: 9600)
    let output = host.render(
      inputs: [[tone]], frames: tone.count,
      events: [.parameter(host.address(voice), 0, ramp: 240, at: 4800)])[0]
    #expect(output[..<4800].allSatisfy { $0 == 0 })
    for start in stride(from: 5040, to: 9000, by: 500) {
      let crest = output[start..<start + 500].reduce(0) { max($0, abs($1)) }
      #expect(crest > 0.47 && crest < 0.53, "frame \(start): \(crest)")
    }
  }
}
