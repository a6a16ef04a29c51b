/// Words by which units are found.
public enum ComponentTag {
  /// Those that every host knows, as Apple's App Extension Programming Guide lists them.
  public static let predefined = [
    "Bass", "Delay", "Distortion", "Drums", "Dynamics", "Dynamics Processor", "Effects",
    "Equalizer", "Filter", "Format Converter", "Guitar", "Imaging", "MIDI", "Mixer",
    "Offline Effect", "Output", "Panner", "Pitch", "Reverb", "Sampler", "Synthesizer",
    "Time Effect", "Vocal",
  ]

  /// Tags are alike whatever their case.
  public static func areAlike(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    first.lowercased() == second.lowercased()
  }
}
