import Documents
import RackModel

/// Collects the messages of the rack's MIDI outputs, and writes them when all is rendered.
final class MIDISink {
  /// The path of each MIDI output's file; nil for none.
  private let paths: [String?]
  private let skip: [Int]
  private let sampleRate: Double
  private var messages: [RackRenderer.Message] = []
  private(set) var files: [WholeFile.Prepared] = []

  /// Creates a sink that leaves out the first `skip` frames of each output.
  init(paths: [String?], skip: [Int], sampleRate: Double) {
    (self.paths, self.skip, self.sampleRate) = (paths, skip, sampleRate)
  }

  /// Adds the messages of a block that begins at this frame.
  func add(_ block: [RackRenderer.Message], at start: Int) {
    for var message in block where paths[message.port] != nil {
      message.frame += start
      messages.append(message)
    }
  }

  /// Writes temporary files, to be moved into place once all else is done too; notes that have not ended by
  /// frame `end` end there.
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

  /// Returns the note-offs of the notes that are still open.
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
