/// Why a file is not a Standard MIDI File that can be played.
public struct MIDIFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The offset in the file, bytes.
  public let offset: Int
  public let message: String

  public var description: String { "at byte \(offset): \(message)" }
}
