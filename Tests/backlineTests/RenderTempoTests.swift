import BacklineTestSupport
import Foundation
import Testing

/// The tempo of a rendering: that of `--tempo`, or else of the first MIDI file that contains a tempo.
struct RenderTempoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a MIDI file of 96 ticks a quarter note, in which a key is held for four seconds after the
  /// events.
  private func song(_ name: String, _ events: [UInt8]) throws -> String {
    let end: [UInt8] = [0x90, 0, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    let track = events + [0, 0x90, 60, 100] + end
    let file =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
      + [0, 0, 0, UInt8(track.count)] + track
    return try folder.write(name, bytes: file)
  }

  private static func tempo(_ perMinute: Double) -> [UInt8] {
    let microseconds = Int(60e6 / perMinute)
    return [0, 0xFF, 0x51, 3] + [16, 8, 0].map { UInt8(microseconds >> $0 & 0xFF) }
  }

  private static let metre: [UInt8] = [0, 0xFF, 0x58, 4, 6, 3, 24, 8]

  /// Returns the frame of an impulse's echo from a delay of an eighth note.
  private func echo(_ arguments: [String]) throws -> Int? {
    let rack = try folder.write(
      "song.yaml",
      bytes: Array(
        """
        rack: Song
        tempo: 100
        inputs: { mic: { channels: 1 }, first: { midi: true }, another: { midi: true } }
        outputs: { out: { channels: 1 } }
        units:
          echo: { unit: Delay, parameters: { sync: 1/8, feedback: 0 %, mix: 100 %, tone: 20 kHz } }
          synth: { unit: Sine Instrument, parameters: { level: -60 dB } }
          mix: { unit: Mixer, inputs: 2, channels: 1 }
        connections: [ mic -> echo -> mix.1, first -> synth -> mix.2, another -> synth, mix -> out ]
        """.utf8))
    let click = try SoundFile(sampleRate: 48_000, channels: [Signals.impulse(frames: 100)])
      .write(folder.path("click.wav"))
    let out = folder.path("out.wav")
    let program = try Program(
      ["render", rack, "--in", "mic=\(click)", "--out", "out=\(out)", "--length", "1s"] + arguments)
    #expect(program.waitForEnd() == 0, "\(program.errors)")
    return try SoundFile(reading: out).channels[0].firstIndex { $0.magnitude > 0.5 }
  }

  @Test func theFirstFileWithATempoLeads() throws {
    let plain = try song("plain.mid", [])
    let slow = try song("slow.mid", Self.tempo(90))
    let fast = try song("fast.mid", Self.tempo(140) + Self.metre)
    let cases: [([String], Double)] = [
      (["--in", "first=\(plain)"], 100), (["--in", "first=\(slow)"], 90),
      (["--midi", "first=\(fast)"], 140),
      (["--in", "another=\(fast)", "--in", "first=\(slow)"], 90),
      (["--in", "first=\(plain)", "--in", "another=\(fast)"], 140),
      (["--in", "first=\(slow)", "--tempo", "125 bpm"], 125),
      (["--in", "first=\(plain)", "--tempo", "60"], 60),
    ]
    for (arguments, tempo) in cases {
      let frame = try #require(try echo(arguments))
      #expect(abs(Double(frame) - 30 * 48_000 / tempo) < 2, "\(arguments)")
    }
  }

  @Test(arguments: ["9", "500 bpm", "fast", "3 s"]) func aTempoIsATempo(text: String) throws {
    let result = try Program.run("render", "small-synth", "--out", "main=x.wav", "--tempo", text)
    #expect(result.status == 64 && result.errors.contains("--tempo"), "\(result.errors)")
  }
}
