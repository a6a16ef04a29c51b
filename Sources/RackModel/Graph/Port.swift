/// One of a rack's own ports: audio of one or more channels, or MIDI.
public struct Port: Sendable, Equatable {
  public var name: String
  /// Audio channels; of a MIDI port 1, for it is one JACK port.
  public var channelCount: Int
  /// For each channel the JACK ports to be connected to it as soon as they exist.
  public var autoConnect: [[String]]
  /// Of an audio output.
  public var ceiling: Ceiling

  public init(
    name: String, channelCount: Int, autoConnect: [[String]]? = nil, ceiling: Ceiling = .usual
  ) {
    self.name = name
    self.channelCount = channelCount
    self.ceiling = ceiling
    self.autoConnect =
      autoConnect ?? Array(repeating: [], count: channelCount)
  }

  /// The names of its JACK ports: `mic` alone, `main_1` and `main_2` of two.
  public var channelNames: [String] {
    channelCount == 1 ? [name] : (1...max(channelCount, 1)).map { "\(name)_\($0)" }
  }
}
