/// A MIDI message with its time.
package struct TimedMIDI: Sendable, Equatable {
  /// The time from the start of the file, seconds.
  package var seconds: Double
  /// The complete message, its status byte first; a system exclusive message from 0xF0 to 0xF7.
  package var bytes: [UInt8]

  package init(seconds: Double, bytes: [UInt8]) {
    self.seconds = seconds
    self.bytes = bytes
  }
}
