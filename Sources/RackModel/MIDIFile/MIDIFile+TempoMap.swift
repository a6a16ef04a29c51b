extension MIDIFile {
  private typealias Change = MIDITrack.Event<(tempo: Double?, metre: TempoMap.Metre?)>

  /// Tempo and metre of a Standard MIDI File, as far as it can be read; nil where it says none, or counts
  /// in a time code.
  package static func tempoMap(of bytes: [UInt8]) -> TempoMap? {
    let name = Array("MThd".utf8)
    // A RIFF file may lie around it.
    guard let start = bytes.indices.prefix(4096).first(where: { bytes[$0...].starts(with: name) })
    else { return nil }
    var reader = MIDIFileReader(bytes[start...])
    var changes: [Change] = []
    var ticksPerQuarter = 0
    while let kind = try? reader.take(4), let length = try? reader.number(byteCount: 4),
      let content = try? reader.take(min(length, reader.bytes.endIndex - reader.offset))
    {
      if kind.elementsEqual(name), content.count >= 6 {
        ticksPerQuarter = content.dropFirst(4).prefix(2).reduce(0) { $0 << 8 | Int($1) }
      } else if kind.elementsEqual("MTrk".utf8) {
        _ = try? read(content, into: &changes)
      }
    }
    guard (1...0x7FFF).contains(ticksPerQuarter), !changes.isEmpty else { return nil }
    var map = TempoMap(tempo: 120)
    for place in changes.indices.sorted(by: { (changes[$0].tick, $0) < (changes[$1].tick, $1) }) {
      let change = changes[place]
      map.change(
        at: Double(change.tick) / Double(ticksPerQuarter), tempo: change.content.tempo,
        metre: change.content.metre)
    }
    return map
  }

  /// Adds the changes of a track, up to its end or to where it is damaged.
  private static func read(
    _ track: ArraySlice<UInt8>, into changes: inout [Change]
  ) throws(MIDIFileError) {
    var reader = MIDIFileReader(track)
    var (tick, status): (Int, UInt8) = (0, 0)
    while !reader.isAtEnd {
      tick += try reader.variableLengthNumber()
      let first = try reader.byte()
      guard first < 0xF0 else {
        let type = first == 0xFF ? try reader.byte() : 0
        let data = Array(try reader.take(reader.variableLengthNumber()))
        switch (type, data.count) {
        case (0x2F, _): return
        case (0x51, 3) where data != [0, 0, 0]:
          let microseconds = data.reduce(0) { $0 << 8 | Int($1) }
          changes.append(Change(tick: tick, content: (60e6 / Double(microseconds), nil)))
        // Beats of a bar, and the power of two that is their unit.
        case (0x58, 4) where data[0] > 0 && data[1] <= 6:
          let metre = TempoMap.Metre(Int(data[0]), 1 << Int(data[1]))
          changes.append(Change(tick: tick, content: (nil, metre)))
        default: break
        }
        continue
      }
      let isStatus = first >= 0x80
      if isStatus { status = first }
      let length = (0xC0...0xDF).contains(status) ? 1 : 2
      _ = try reader.take(isStatus ? length : length - 1)
    }
  }
}
