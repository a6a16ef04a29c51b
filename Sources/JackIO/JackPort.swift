/// A port of the rack in JACK, with a JACK port for each channel.
public struct JackPortDescription: Sendable, Equatable {
  /// The name in the rack file: `mic`, `main`.
  public var name: String
  /// The number of channels; 1 for MIDI.
  public var channels: Int
  public var isMIDI: Bool
  /// The display name.
  public var prettyName: String
  /// The full names of other clients' ports to connect to; a list for each channel.
  public var connect: [[String]]

  public init(
    name: String, channels: Int = 1, isMIDI: Bool = false, prettyName: String? = nil,
    connect: [[String]] = []
  ) {
    self.name = name
    self.channels = channels
    self.isMIDI = isMIDI
    self.prettyName = prettyName ?? name
    self.connect = connect
  }

  /// Returns the name of one channel's port, without the client's: `mic`, or `main_1` and `main_2`.
  public func rawName(channel: Int) -> String {
    channels == 1 ? name : "\(name)_\(channel + 1)"
  }

  /// Returns the display name of one channel in a patchbay: `Mic`, `Main L` and `Main R`, `Stems 1`
  /// and so on.
  public func prettyName(channel: Int) -> String {
    switch channels {
    case 1: prettyName
    case 2: "\(prettyName) \(channel == 0 ? "L" : "R")"
    default: "\(prettyName) \(channel + 1)"
    }
  }

  public func autoConnect(channel: Int) -> [String] {
    connect.indices.contains(channel) ? connect[channel] : []
  }
}
