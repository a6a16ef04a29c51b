/// A MIDI message and when it sounds.
package struct TimedMIDI: Sendable, Equatable {
  /// From the start of the file.
  package var seconds: Double
  /// A whole message, its status byte first; a system exclusive one from 0xF0 to 0xF7.
  package var bytes: [UInt8]

  package init(seconds: Double, bytes: [UInt8]) {
    self.seconds = seconds
    self.bytes = bytes
  }
}
