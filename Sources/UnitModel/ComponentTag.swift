/// Tags to find units by.
public enum ComponentTag {
  /// The tags that every host knows, from Apple's App Extension Programming Guide.
  public static let predefined = [
    "Bass", "Delay", "Distortion", "Drums", "Dynamics", "Dynamics Processor", "Effects",
    "Equalizer", "Filter", "Format Converter", "Guitar", "Imaging", "MIDI", "Mixer",
    "Offline Effect", "Output", "Panner", "Pitch", "Reverb", "Sampler", "Synthesizer",
    "Time Effect", "Vocal",
  ]

  /// The uses of built-in units; each unit has at least one of these.
  public static let uses = [
    "Guitar", "Voice", "Drums", "Mastering", "Space", "Time", "Dynamics", "Tone", "Modulation",
    "Pitch", "Utility",
  ]

  /// Whether two tags are equal, regardless of case.
  public static func areAlike(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    first.lowercased() == second.lowercased()
  }
}
