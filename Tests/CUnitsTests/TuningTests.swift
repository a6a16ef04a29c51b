import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// Scales from files of Scala, as the synthesizers play them.
@Suite struct TuningTests {
  private let folder: TemporaryFolder

  /// The parameters that make each synthesizer produce a sine.
  private static let sines: [String: [String: Float]] = [
    "aumu/sine/bkln": ["level": 0, "attack": 0.001, "sustain": 100],
    "aumu/poly/bkln": [
      "level": 0, "amplifier.attack": 0.001, "amplifier.sustain": 100, "osc1.shape": 0,
      "filter.mode": 5, "drift": 0,
    ],
    "aumu/fmop/bkln": ["level": 0, "op1.sustain": 100, "op2.level": 0],
  ]

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, _ lines: String...) throws -> String {
    try folder.write(name, bytes: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }

  private func host(_ unit: String = "aumu/sine/bkln") throws -> UnitHost {
    try UnitHost(
      BuiltInUnit(unit).descriptor, outputChannels: [1],
      parameters: try #require(Self.sines[unit]))
  }

  /// Some editors begin a text with a byte order mark, also before a comment.
  @Test func aByteOrderMarkIsPassedOver() throws {
    let host = try host()
    try host.setProperty(
      "scale", file("octave.scl", "\u{FEFF}! octave.scl", "Octaves", " 1", " 2/1"))
    #expect(abs(cents(host, key: 61, from: 523.2511)) < 0.1)
  }

  /// Returns the interval from a frequency to what a key sounds, cents.
  private func cents(_ host: UnitHost, key: UInt8, from frequency: Double) -> Double {
    host.reset()
    let output = Array(host.render(frames: 8400, events: [.on(key)])[0].suffix(4800))
    guard Level.peak(output) > -10 else { return .infinity }
    return Pitch.cents(from: frequency, to: Pitch.frequency(of: output))
  }

  /// Without a mapping, middle C is degree 0 and keeps its pitch.
  @Test(arguments: sines.keys.sorted()) func playsAScale(_ unit: String) throws {
    let scale = try file(
      "just.scl", "! just.scl", "!", "Five tones", " 5", "!", " 9/8 a tone", " 5/4", "702.0", "5/3",
      "2")
    let host = try host(unit)
    try host.setProperty("scale", scale)
    let middle: Double = 440 * pow(2, -9.0 / 12)
    #expect(abs(cents(host, key: 60, from: middle)) < 0.1)
    #expect(abs(cents(host, key: 61, from: middle * 9 / 8)) < 0.1)
    #expect(abs(cents(host, key: 62, from: middle * 5 / 4)) < 0.1)
    #expect(abs(cents(host, key: 63, from: middle * pow(2, 702.0 / 1200))) < 0.1)
    #expect(abs(cents(host, key: 65, from: middle * 2)) < 0.1)
    #expect(abs(cents(host, key: 59, from: middle * 5 / 6)) < 0.1)
    try host.setProperty("scale", "")
    #expect(abs(cents(host, key: 69, from: 440)) < 0.1)
  }

  /// A key that plays nothing takes no voice from another.
  @Test(arguments: ["aumu/sine/bkln", "aumu/poly/bkln", "aumu/fmop/bkln"])
  func aKeyWithoutAPitchStealsNothing(_ unit: String) throws {
    let mapping = try file("even.kbm", "2", "0", "127", "60", "60", "260", "2", "0", "x")
    let host = try host(unit)
    try host.setProperty("mapping", mapping)
    let silent = stride(from: 1, to: 128, by: 2).map { key in
      UnitHost.Event.midi([0x90, UInt8(key), 127], at: 2400)
    }
    let output = host.render(frames: 9600, events: [.midi([0x90, 60, 127], at: 0)] + silent)[0]
    #expect(output[7200...].contains { abs($0) > 0.9 })
  }

  /// White keys alone play a scale of seven steps, tuned from A4 at 432 Hz.
  @Test func playsThroughAMapping() throws {
    let scale = try file(
      "seven.scl", "Seven equal steps", "7", "171.4286", "342.8571", "514.2857", "685.7143",
      "857.1429", "1028.5714", "2/1")
    let mapping = try file(
      "white.kbm", "! white keys", "12", "0", "127", "60", "69", "432.0", "7", "0", "x", "1", "x",
      "2", "3", "x", "4", "x", "5", "x", "6")
    let host = try host()
    try host.setProperty("scale", scale)
    try host.setProperty("mapping", mapping)
    #expect(abs(cents(host, key: 69, from: 432)) < 0.1)
    #expect(abs(cents(host, key: 71, from: 432 * pow(2, 1.0 / 7))) < 0.1)
    #expect(abs(cents(host, key: 72, from: 432 * pow(2, 2.0 / 7))) < 0.1)
    let silent = host.render(frames: 2400, events: [.midi([0xB0, 120, 0], at: 0)])
    #expect(silent[0].suffix(1200).allSatisfy { $0 == 0 })
    let unmapped = host.render(frames: 1200, events: [.midi([0x90, 61, 127], at: 0)])
    #expect(unmapped[0].allSatisfy { $0 == 0 })
  }

  /// Keys that nobody hears play nothing; a comment may be longer than any other line.
  @Test func playsWhatIsHeardOfALargeScale() throws {
    let scale = try file(
      "large.scl", "!" + String(repeating: " long", count: 500),
      "Two steps of an octave and a half", "2", "1800.0", "8/1")
    let host = try host()
    try host.setProperty("scale", scale)
    let middle: Double = 440 * pow(2, -9.0 / 12)
    #expect(abs(cents(host, key: 61, from: middle * pow(2, 1.5))) < 0.1)
    host.reset()
    let output = host.render(frames: 1200, events: [.midi([0x90, 90, 127], at: 0)])[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  /// A bad file is refused with its line, and the former scale stays.
  @Test(
    arguments: [
      (["Short", "3", "9/8"], ":4: the file ends too early"),
      (["Negative", "1", "-3/2"], ":3: a ratio of whole numbers above 0 is needed"),
      (["No count", "many", "2"], ":2: a whole number from 1 to 1024 is needed"),
      (["Words", "1", "octave"], ":3: a step in cents, or a ratio, is needed"),
      (["Far", "1", "1e30."], ":3: the step has more than 20 octaves"),
      (["Far", "2", "3/2", "24001.0"], ":4: the step has more than 20 octaves"),
    ] as [([String], String)])
  func refusesABadFile(_ lines: [String], reason: String) throws {
    let path = try folder.write("bad.scl", bytes: Array(lines.joined(separator: "\n").utf8))
    let host = try host()
    #expect {
      try host.setProperty("scale", path)
    } throws: {
      "\($0)".hasSuffix("bad.scl\(reason)")
    }
    #expect(abs(cents(host, key: 69, from: 440)) < 0.1)
  }

  @Test func refusesAMissingFile() throws {
    let host = try host()
    #expect(throws: (any Error).self) {
      try host.setProperty("mapping", folder.path("none.kbm"))
    }
  }
}
