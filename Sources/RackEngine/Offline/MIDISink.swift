import Documents
import RackModel

/// Takes what the rack's MIDI outputs send, and writes it when all is rendered.
final class MIDISink {
  struct Message: Sendable {
    var port: Int
    /// From the beginning of the rendering.
    var frame: Int
    var bytes: [UInt8]
  }

  /// Paths by MIDI output; nil where nobody asks for a file.
  private let paths: [String?]
  private let skip: [Int]
  private let sampleRate: Double
  private var messages: [Message] = []
  private(set) var files: [WholeFile.Prepared] = []

  /// `skip` frames of each output are left out.
  init(paths: [String?], skip: [Int], sampleRate: Double) {
    (self.paths, self.skip, self.sampleRate) = (paths, skip, sampleRate)
  }

  func take(_ message: Message) {
    if paths[message.port] != nil { messages.append(message) }
  }

  /// Makes the files, to be put in their places when all else is done too; notes that have not ended
  /// by frame `end` end there.
  func complete(upTo end: Int) throws(RackError) {
    for (port, path) in paths.enumerated() {
      guard let path else { continue }
      var timed: [TimedMIDI] = []
      for message in messages where message.port == port && message.frame < end + skip[port] {
        let frame = max(0, message.frame - skip[port])
        timed.append(TimedMIDI(seconds: Double(frame) / sampleRate, bytes: message.bytes))
      }
      let length = Double(end) / sampleRate
      timed += Self.open(timed).map { TimedMIDI(seconds: length, bytes: $0) }
      do {
        files.append(
          try WholeFile.Prepared(
            MIDIFile.bytes(of: timed, length: length, sampleRate: sampleRate), path: path))
      } catch {
        throw RackError("\(error)")
      }
    }
  }

  /// The ends of the notes that are still open.
  private static func open(_ messages: [TimedMIDI]) -> [[UInt8]] {
    var open: Set<[UInt8]> = []
    for bytes in messages.map(\.bytes) where bytes.count == 3 {
      let key = [0x80 | bytes[0] & 15, bytes[1], 64]
      switch (bytes[0] & 0xF0, bytes[2]) {
      case (0x80, _), (0x90, 0): open.remove(key)
      case (0x90, _): open.insert(key)
      default: break
      }
    }
    return open.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
