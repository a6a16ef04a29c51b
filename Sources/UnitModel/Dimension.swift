/// The dimension of a value, by its unit, with its accepted spellings.
enum Dimension: Sendable, CaseIterable {
  case frequency, level, time, proportion, pitch, fineTuning, angle, tempo, ratio
  case frames, beats, octaves

  /// The spellings, each with its factor to the parameter's unit; the first is used for writing.
  var spellings: [(text: String, scale: Double)] {
    switch self {
    case .frequency: [("Hz", 1), ("kHz", 1000), ("k", 1000)]
    case .level: [("dB", 1), ("dBFS", 1)]
    case .time:
      [("s", 1), ("ms", 0.001), ("µs", 1e-6), ("us", 1e-6), ("μs", 1e-6), ("min", 60), ("m", 60)]
    case .proportion: [("%", 1)]
    case .pitch: [("semitones", 1), ("semitone", 1), ("st", 1)]
    case .fineTuning: [("cents", 1), ("cent", 1), ("ct", 1)]
    case .angle: [("°", 1), ("degrees", 1), ("degree", 1), ("deg", 1)]
    case .tempo: [("bpm", 1)]
    case .ratio: [(":1", 1), ("x", 1)]
    case .frames: [("frames", 1), ("frame", 1)]
    case .beats: [("beats", 1), ("beat", 1)]
    case .octaves: [("octaves", 1), ("octave", 1), ("oct", 1)]
    }
  }

  /// The dimension's name to follow "is".
  var article: String {
    switch self {
    case .frequency: "a frequency"
    case .level: "a level"
    case .time: "a time"
    case .proportion: "a percentage"
    case .pitch: "an interval"
    case .fineTuning: "an interval in cents"
    case .angle: "an angle"
    case .tempo: "a tempo"
    case .ratio: "a ratio"
    case .frames: "a number of frames"
    case .beats: "a number of beats"
    case .octaves: "an interval in octaves"
    }
  }

  /// Returns the dimension and scale of a written unit, regardless of case.
  static func named(_ text: some StringProtocol) -> (dimension: Dimension, scale: Double)? {
    let wanted = text.lowercased()
    for dimension in allCases {
      for spelling in dimension.spellings where spelling.text.lowercased() == wanted {
        return (dimension, spelling.scale)
      }
    }
    return nil
  }
}

extension ParameterUnit {
  /// The dimension of a parameter in this unit; nil for plain numbers, names and positions.
  var dimension: Dimension? {
    switch self {
    case .generic, .indexed, .boolean, .pan, .midiNoteNumber, .midiController, .custom: nil
    case .percent: .proportion
    case .hertz: .frequency
    case .decibels: .level
    case .seconds, .milliseconds: .time
    case .semitones: .pitch
    case .cents: .fineTuning
    case .degrees: .angle
    case .ratio: .ratio
    case .beatsPerMinute: .tempo
    case .sampleFrames: .frames
    case .beats: .beats
    case .octaves: .octaves
    }
  }

  /// The symbol after a value; nil for plain numbers, names and positions.
  public var symbol: String? { dimension?.spellings.first?.text }

  /// The accepted values, to follow "takes".
  public var wanted: String {
    switch self {
    case .generic, .midiController, .custom: "a plain number"
    case .indexed: "a value's name or number"
    case .boolean: "on or off"
    case .percent: "a percentage (%)"
    case .hertz: "hertz (Hz, kHz)"
    case .decibels: "decibels (dB)"
    case .seconds: "seconds (s, ms)"
    case .semitones: "semitones (st)"
    case .cents: "cents (ct)"
    case .degrees: "degrees (°)"
    case .ratio: "a ratio (a plain number, or 4:1)"
    case .beatsPerMinute: "beats per minute (bpm)"
    case .pan: "a place (L100 to R100, or C)"
    case .milliseconds: "milliseconds (ms, s)"
    case .sampleFrames: "frames"
    case .beats: "beats"
    case .octaves: "octaves (oct)"
    case .midiNoteNumber: "a note (C4, F#3) or its number"
    }
  }
}
