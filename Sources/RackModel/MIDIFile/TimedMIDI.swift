/// A MIDI message and when it sounds.
public struct TimedMIDI: Sendable, Equatable {
  /// From the start of the file.
  public var seconds: Double
  /// A whole message, its status byte first; a system exclusive one from 0xF0 to 0xF7.
  public var bytes: [UInt8]

  public init(seconds: Double, bytes: [UInt8]) {
    self.seconds = seconds
    self.bytes = bytes
  }
}
