/// The reason why a file, or a part of it, is not a valid Standard MIDI File.
package struct MIDIFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The offset in the file, bytes.
  package let offset: Int
  package let message: String

  package var description: String { "at byte \(offset): \(message)" }
}
