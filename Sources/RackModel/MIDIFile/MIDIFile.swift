/// Reads and writes Standard MIDI Files (MIDI Manufacturers Association, "Standard MIDI Files 1.0", 1996).
/// A damaged file is read up to the damage.
package enum MIDIFile {
  /// The size limit of a file, bytes.
  package static let maximumSize = 16 << 20

  /// The most bytes before the header, such as those of a RIFF file around a MIDI file (RMID).
  private static let longestPreface = 4096

  /// Returns every channel and system exclusive message of a file in order of time; messages at one time
  /// are in the order of the tracks. The tracks of format 2 follow one another; all others play together.
  ///
  /// - Throws: `MIDIFileError` where nothing can be played. Other damage is left out, with a warning.
  package static func parse(_ bytes: some Sequence<UInt8>) throws(MIDIFileError) -> MIDIFileContent
  {
    let bytes = Array(bytes.prefix(maximumSize + 1))
    guard bytes.count <= maximumSize else {
      throw MIDIFileError(
        offset: maximumSize, message: "the file is larger than \(maximumSize >> 20) MiB")
    }
    guard let start = bytes.prefix(longestPreface).firstPlace(of: "MThd") else {
      throw MIDIFileError(
        offset: 0, message: "not a Standard MIDI File, which begins with MThd")
    }
    var reader = MIDIFileReader(bytes[start...])
    _ = try reader.read(4)
    var header = MIDIFileReader(try reader.read(reader.number(byteCount: 4)))
    let format = try header.number(byteCount: 2)
    let trackCount = try header.number(byteCount: 2)
    let division = try header.number(byteCount: 2)
    let divisionPlace = header.offset - 2

    var (tracks, faults) = self.tracks(in: &reader)
    guard !tracks.isEmpty else { throw reader.failure("there is no track in it") }
    if tracks.count != trackCount {
      faults.append(
        MIDIFileError(
          offset: divisionPlace - 2,
          message: "\(trackCount) tracks are announced, and \(tracks.count) are there"))
    }
    if let fault = faults.first, tracks.allSatisfy({ $0.messages.isEmpty }) { throw fault }
    if format == 2 { tracks.placeInTurn() }
    let map = try tempoMap(tracks, division: division, at: divisionPlace)
    let messages = inOrder(tracks.flatMap(\.messages)).map {
      TimedMIDI(seconds: map.seconds(atTick: $0.tick), bytes: $0.content)
    }
    return MIDIFileContent(
      messages: messages, length: map.seconds(atTick: tracks.map(\.length).max() ?? 0),
      tempoMap: division < 0x8000 ? songTempo(tracks, ticksPerQuarter: division) : nil,
      warnings: faults.map(\.description))
  }

  /// Returns every track up to the end of the file. Chunks of other kinds are skipped.
  private static func tracks(
    in reader: inout MIDIFileReader
  ) -> (tracks: [MIDITrack], faults: [MIDIFileError]) {
    var tracks: [MIDITrack] = []
    var faults: [MIDIFileError] = []
    while let kind = try? reader.read(4), let announced = try? reader.number(byteCount: 4) {
      let isTrack = kind.elementsEqual("MTrk".utf8)
      // Bytes after the last track that are no chunk are ignored.
      guard isTrack || kind.isChunkName else { break }
      let rest = reader.bytes[reader.offset...]
      var length = announced
      if isTrack, announced > rest.count || !rest.dropFirst(announced).startsChunk {
        length = rest.firstPlace(of: "MTrk").map { $0 - reader.offset } ?? rest.count
      }
      guard let content = try? reader.read(min(length, rest.count)) else { break }
      guard isTrack else { continue }
      let track = MIDITrack(content)
      if let fault = track.fault {
        faults.append(fault)
      } else if !track.hasEnd, announced > rest.count {
        faults.append(reader.failure("the file ends in the middle of a track"))
      }
      tracks.append(track)
    }
    return (tracks, faults)
  }

  private static func tempoMap(
    _ tracks: [MIDITrack], division: Int, at index: Int
  ) throws(MIDIFileError) -> MIDITempoMap {
    guard division & 0x8000 != 0 else {
      guard division > 0 else {
        throw MIDIFileError(offset: index, message: "a quarter note of 0 ticks")
      }
      return MIDITempoMap(
        ticksPerQuarter: division, tempos: inOrder(tracks.flatMap(\.tempos)))
    }
    let framesPerSecond = 256 - division >> 8
    let ticksPerFrame = division & 0xFF
    guard [24, 25, 29, 30].contains(framesPerSecond), ticksPerFrame > 0 else {
      throw MIDIFileError(offset: index, message: "a time code of an unknown rate")
    }
    // The rate 29 means drop frames, 30000 in 1001 seconds.
    let rate = framesPerSecond == 29 ? 30000.0 / 1001 : Double(framesPerSecond)
    return MIDITempoMap(secondsPerTick: 1 / (rate * Double(ticksPerFrame)))
  }

  /// Returns events in order of their ticks; events at one tick keep their order.
  static func inOrder<Content>(
    _ events: [MIDITrack.Event<Content>]
  ) -> [MIDITrack.Event<Content>] {
    events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }.map(\.element)
  }
}

/// The content of a Standard MIDI File.
package struct MIDIFileContent: Sendable, Equatable {
  /// The messages in order of time.
  package var messages: [TimedMIDI]
  /// The end of the longest track, rests included, seconds.
  package var length: Double
  /// The tempo and metre; nil where the file contains none, or counts in a time code.
  package var tempoMap: TempoMap?
  /// The damage that was left out, a sentence each.
  package var warnings: [String]
}

extension ArraySlice<UInt8> {
  /// Returns the index of the first chunk name that equals `name`.
  fileprivate func firstPlace(of name: String) -> Int? {
    let name = Array(name.utf8)
    return indices.first { self[$0] == name[0] && self[$0...].starts(with: name) }
  }

  /// Whether the bytes can name a chunk: four printable letters.
  fileprivate var isChunkName: Bool { count == 4 && allSatisfy { (32...126).contains($0) } }

  /// Whether a chunk begins here, or nothing follows that could be one.
  fileprivate var startsChunk: Bool { count < 2 || prefix(4).isChunkName }
}
