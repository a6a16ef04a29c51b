import Documents
import Testing
import UnitModel

@Suite struct QuantityTests {
  static func parameter(
    _ unit: ParameterUnit, _ range: ClosedRange<Float>, named names: [String] = []
  ) -> ParameterInfo {
    ParameterInfo(
      identifier: "knob", name: "Knob", unit: unit, minimum: range.lowerBound,
      maximum: range.upperBound, defaultValue: range.lowerBound, valueStrings: names)
  }

  static let cutoff = parameter(.hertz, 20...20000)
  static let level = parameter(.decibels, -60...24)
  static let time = parameter(.seconds, 0...10)
  static let mix = parameter(.percent, 0...100)
  static let pitch = parameter(.semitones, -24...24)
  static let detune = parameter(.cents, -1200...1200)
  static let tempo = parameter(.beatsPerMinute, 20...300)
  static let phase = parameter(.degrees, 0...360)
  static let ratio = parameter(.ratio, 0...20)
  static let toggle = parameter(.boolean, 0...1)
  static let pan = parameter(.pan, -1...1)
  static let shape = parameter(.indexed, 1...3, named: ["sine", "Square", "saw up"])
  static let milliseconds = parameter(.milliseconds, 0...1000)
  static let octaves = parameter(.octaves, -4...4)
  static let note = parameter(.midiNoteNumber, 0...127)
  static let strength: ParameterInfo = {
    var made = parameter(.custom, 0...11)
    made.unitName = "horses"
    return made
  }()
  static let plain = parameter(.generic, -100...100)

  @Test(arguments: [
    (Float(34.918625), Float(34.9186)), (-34.918625, -34.9186), (1234.5678, 1234.57), (0, 0),
    (0.0001234567, 0.000123457), (19999.998, 20000), (440, 440), (-Float.infinity, -Float.infinity),
  ])
  func sixDigitsAreShown(value: Float, rounded: Float) {
    #expect(Quantity.rounded(value) == rounded)
  }

  @Test(
    arguments: [
      (mix, Float(45), "30%", "45%"), (mix, 45, "30  %", "45  %"), (mix, 45, "30", "45"),
      (cutoff, 800, "1.2 kHz", "0.8 kHz"), (cutoff, 30, "12 kHz", "30 Hz"),
      (cutoff, 2500, "1.2k", "2.5k"), (time, 1.5, "250ms", "1500ms"),
      (time, 0.25, "1:30", "250 ms"),
      (level, -6, "\u{2212}3 dB", "-6 dB"), (toggle, 1, "no", "yes"), (toggle, 0, "True", "False"),
      (toggle, 0, "1", "0"), (pan, 0.25, "L30", "R25"), (pan, 0.25, "-0.5", "0.25"),
      (shape, 2, "sine", "square"), (shape, 2, "Sine", "Square"), (shape, 2, "3", "2"),
      (milliseconds, 500, "0.1 s", "0.5 s"), (mix, 1 / 3, "30 %", "0.33333334 %"),
    ] as [(ParameterInfo, Float, String, String)])
  func valuesAreWrittenLikeOthers(
    parameter: ParameterInfo, value: Float, example: String, text: String
  ) throws {
    #expect(Quantity.format(value, for: parameter, like: example) == text)
    #expect(try Quantity.parse(text, for: parameter) == value)
  }

  @Test(
    arguments: [
      (cutoff, "800 Hz", 800), (cutoff, "800", 800), (cutoff, "1.2 kHz", 1200),
      (cutoff, "1.2kHz", 1200), (cutoff, "  .5 khz ", 500), (cutoff, "1e3", 1000),
      (cutoff, "2e1HZ", 20), (cutoff, "1.2k", 1200), (cutoff, "8 K", 8000), (level, "-6 dB", -6),
      (level, "−6 dB", -6), (level, "+3db", 3),
      (time, "250 ms", 0.25), (time, "1.5 s", 1.5), (time, "100 µs", 0.0001), (time, "5.", 5),
      (time, "0:02.5", 2.5), (time, "0.1 min", 6), (milliseconds, "0:00.25", 250),
      (mix, "30 %", 30), (mix, "30%", 30), (mix, "30", 30),
      (pitch, "2 semitones", 2), (pitch, "-7 st", -7), (pitch, "50 cents", 0.5),
      (detune, "12 ct", 12), (detune, "1 semitone", 100),
      (tempo, "120 bpm", 120), (tempo, "120 BPM", 120), (phase, "90°", 90),
      (phase, "90 degrees", 90),
      (ratio, "4:1", 4), (ratio, "2 x", 2), (ratio, "30 %", 0.3),
      (toggle, "on", 1), (toggle, "Off", 0), (toggle, "true", 1), (toggle, "no", 0),
      (toggle, "1", 1),
      (pan, "C", 0), (pan, "centre", 0), (pan, "L30", -0.3), (pan, "r100", 1),
      (pan, "30 % left", -0.3),
      (pan, "right", 1), (pan, "30L", -0.3), (pan, "-0.5", -0.5), (pan, "-50 %", -0.5),
      (shape, "sine", 1), (shape, "square", 2), (shape, "SAW UP", 3), (shape, "2", 2),
      (plain, "-12.5", -12.5),
      (milliseconds, "0.25 s", 250), (milliseconds, "80", 80), (octaves, "2 oct", 2),
      (octaves, "6 st", 0.5), (pitch, "1 octave", 12), (note, "C4", 60), (note, "f#3", 54),
      (note, "B♭3", 58), (note, "C-1", 0), (note, "69", 69), (strength, "7 horses", 7),
    ] as [(ParameterInfo, String, Float)])
  func readsWhatPeopleWrite(parameter: ParameterInfo, text: String, value: Float) throws {
    #expect(try Quantity.parse(text, for: parameter) == value)
  }

  @Test(
    arguments: [
      (cutoff, "250 ms", "“250 ms” is a time; “knob” takes hertz (Hz, kHz)"),
      (time, "800 Hz", "“800 Hz” is a frequency; “knob” takes seconds (s, ms)"),
      (note, "C10", "“C10” is not a value for “knob”, which takes a note (C4, F#3) or its number"),
      (strength, "3 dB", "“3 dB” is a level; “knob” takes a number (horses)"),
      (plain, "3 dB", "“3 dB” is a level; “knob” takes a plain number"),
      (mix, "50 cents", "“50 cents” is an interval in cents; “knob” takes a percentage (%)"),
      (cutoff, "25 kHz", "25 kHz is above the most that “knob” takes, 20 kHz"),
      (cutoff, "1 Hz", "1 Hz is below the least that “knob” takes, 20 Hz"),
      (cutoff, "1e39", "“1e39” is too great a number"),
      (cutoff, "1,2 kHz", "“1,2 kHz” has a decimal comma; write 1.2 kHz"),
      (cutoff, "1k2", "“k2” in “1k2” is not a unit; “knob” takes hertz (Hz, kHz)"),
      (cutoff, "nan", "“nan” is not a value for “knob”, which takes hertz (Hz, kHz)"),
      (cutoff, "inf", "“inf” is not a value for “knob”, which takes hertz (Hz, kHz)"),
      (cutoff, "0x10", "“x10” in “0x10” is not a unit; “knob” takes hertz (Hz, kHz)"),
      (cutoff, "", "“knob” has no value; it takes hertz (Hz, kHz)"),
      (cutoff, "-", "“-” is not a value for “knob”, which takes hertz (Hz, kHz)"),
      (toggle, "maybe", "“maybe” is not a value for “knob”, which takes on or off"),
      (toggle, "0.5", "0.5 lies between two values of “knob”, which takes on or off"),
      (
        shape, "1.5",
        "1.5 lies between two values of “knob”, which takes one of sine, Square, saw up"
      ),
      (pan, "L120", "L120 is below the least that “knob” takes, L100"),
      (pan, "L-5", "“L-5” is not a place; “knob” takes a place (L100 to R100, or C)"),
    ] as [(ParameterInfo, String, String)])
  func refusesWithTheReason(parameter: ParameterInfo, text: String, reason: String) {
    #expect(
      performing: {
        try Quantity.parse(text, for: parameter)
      }, throws: { ($0 as? Refusal)?.reason == reason })
  }

  @Test func suggestsTheNearestNameAndUnit() {
    #expect(throws: Refusal.self) { try Quantity.parse("squar", for: Self.shape) }
    do { _ = try Quantity.parse("squar", for: Self.shape) } catch {
      #expect(error.suggestion == "Square")
    }
    do { _ = try Quantity.parse("3 kHx", for: Self.cutoff) } catch {
      #expect(error.suggestion == "kHz")
    }
  }

  @Test(
    arguments: [
      ("44.1 kHz", .hertz, 44_100), ("48k", .hertz, 48_000), ("10s", .seconds, 10),
      ("2m", .seconds, 120), ("2 min", .seconds, 120), ("1:30", .seconds, 90),
      ("1:00:00.5", .seconds, 3600.5), ("90", .seconds, 90),
      ("7200.000001 s", .seconds, 7200.000001),
    ] as [(String, ParameterUnit, Double)])
  func numbersNeedNoParameter(text: String, unit: ParameterUnit, value: Double) throws {
    #expect(abs(try Quantity.number(text, in: unit, name: "it") - value) < 1e-9)
  }

  @Test(arguments: ["1:60", "1:2:3:4", ":30", "1:", "1:-5", "1.5:00", "1:30 Hz", "-1:30", "48 kHz"])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(throws: Refusal.self) { try Quantity.number(text, in: .seconds, name: "it") }
  }

  @Test(
    arguments: [
      (cutoff, 800, "800 Hz"), (cutoff, 1200, "1.2 kHz"), (cutoff, 22.1, "22.1 Hz"),
      (level, -6, "-6 dB"), (time, 0.25, "250 ms"), (time, 1.5, "1.5 s"), (time, 0, "0 s"),
      (mix, 30, "30 %"), (pitch, 2, "2 semitones"), (detune, 12, "12 cents"),
      (tempo, 120, "120 bpm"), (phase, 90, "90 °"), (ratio, 4, "4"), (toggle, 1, "on"),
      (toggle, 0, "off"), (pan, 0, "C"), (pan, -0.3, "L30"), (pan, 1, "R100"), (shape, 2, "Square"),
      (plain, 0.1, "0.1"),
    ] as [(ParameterInfo, Float, String)])
  func writesAsPeopleDo(parameter: ParameterInfo, value: Float, text: String) {
    #expect(Quantity.format(value, for: parameter) == text)
  }

  @Test(arguments: [
    cutoff, level, time, mix, pitch, detune, tempo, phase, ratio, pan, plain,
  ])
  func readsBackWhatItWrites(parameter: ParameterInfo) throws {
    var generator = SplitMix64(state: 1)
    for _ in 0..<2000 {
      let value = Float.random(in: parameter.minimum...parameter.maximum, using: &generator)
      let text = Quantity.format(value, for: parameter)
      #expect(try Quantity.parse(text, for: parameter) == value, "\(text)")
    }
  }
}

/// G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
