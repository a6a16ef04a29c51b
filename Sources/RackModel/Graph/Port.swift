/// A port of a rack: audio of one or more channels, or MIDI.
public struct Port: Sendable, Equatable {
  public var name: String
  /// The number of audio channels; 1 for a MIDI port, which is one JACK port.
  public var channelCount: Int
  /// The JACK ports to connect to each channel as soon as they exist.
  public var autoConnect: [[String]]
  /// The ceiling of an audio output.
  public var ceiling: Ceiling

  public init(
    name: String, channelCount: Int, autoConnect: [[String]]? = nil, ceiling: Ceiling = .default
  ) {
    self.name = name
    self.channelCount = channelCount
    self.ceiling = ceiling
    self.autoConnect =
      autoConnect ?? Array(repeating: [], count: channelCount)
  }

  /// The names of the port's JACK ports: `mic` for one channel, `main_1` and `main_2` for two.
  public var channelNames: [String] {
    channelCount == 1 ? [name] : (1...max(channelCount, 1)).map { "\(name)_\($0)" }
  }
}
