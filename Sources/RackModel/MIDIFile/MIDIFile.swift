/// Reads Standard MIDI Files (MIDI Manufacturers Association, "Standard MIDI Files 1.0", 1996).
package enum MIDIFile {
  /// The largest file that is read, bytes.
  package static let maximumSize = 16 << 20

  /// Every channel and system exclusive message of a file of format 0 or 1, in order of time; of one
  /// time, in the order of the tracks.
  package static func parse(_ bytes: some Sequence<UInt8>) throws(MIDIFileError) -> [TimedMIDI] {
    let bytes = Array(bytes.prefix(maximumSize + 1))
    guard bytes.count <= maximumSize else {
      throw MIDIFileError(
        offset: maximumSize, message: "the file is larger than \(maximumSize >> 20) MiB")
    }
    var reader = MIDIFileReader(bytes[...])
    guard bytes.starts(with: "MThd".utf8) else {
      throw reader.failure("not a Standard MIDI File, which begins with MThd")
    }
    var header = MIDIFileReader(try chunk(&reader).content)
    let format = try header.number(byteCount: 2)
    guard format < 2 else {
      throw header.failure(
        "format \(format) (independent patterns) cannot be played", at: 8)
    }
    let trackCount = try header.number(byteCount: 2)
    let division = try header.number(byteCount: 2)

    var tracks: [MIDITrack] = []
    // Chunks of other kinds may stand between, and are passed over.
    while tracks.count < trackCount, !reader.isAtEnd {
      let (kind, content) = try chunk(&reader)
      if kind.elementsEqual("MTrk".utf8) { tracks.append(try MIDITrack(content)) }
    }
    guard tracks.count == trackCount else {
      throw reader.failure("\(tracks.count) of \(trackCount) announced tracks are present")
    }
    return try timed(tracks, division: division)
  }

  private static func chunk(
    _ reader: inout MIDIFileReader
  ) throws(MIDIFileError) -> (kind: ArraySlice<UInt8>, content: ArraySlice<UInt8>) {
    let kind = try reader.take(4)
    return (kind, try reader.take(reader.number(byteCount: 4)))
  }

  private static func timed(
    _ tracks: [MIDITrack], division: Int
  ) throws(MIDIFileError) -> [TimedMIDI] {
    let map: MIDITempoMap
    if division & 0x8000 != 0 {
      let framesPerSecond = 256 - division >> 8
      let ticksPerFrame = division & 0xFF
      guard [24, 25, 29, 30].contains(framesPerSecond), ticksPerFrame > 0 else {
        throw MIDIFileError(offset: 12, message: "a time code of an unknown rate")
      }
      // 29 stands for drop frames, 30000 in 1001 seconds.
      let rate = framesPerSecond == 29 ? 30000.0 / 1001 : Double(framesPerSecond)
      map = MIDITempoMap(secondsPerTick: 1 / (rate * Double(ticksPerFrame)))
    } else {
      guard division > 0 else {
        throw MIDIFileError(offset: 12, message: "a quarter note of 0 ticks")
      }
      let tempos = inOrder(tracks.flatMap(\.tempos))
      map = MIDITempoMap(ticksPerQuarter: division, tempos: tempos)
    }
    return inOrder(tracks.flatMap(\.messages)).map {
      TimedMIDI(seconds: map.seconds(atTick: $0.tick), bytes: $0.content)
    }
  }

  /// By tick; of one tick in the order given.
  private static func inOrder<Content>(
    _ events: [MIDITrack.Event<Content>]
  ) -> [MIDITrack.Event<Content>] {
    events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }.map(\.element)
  }
}
