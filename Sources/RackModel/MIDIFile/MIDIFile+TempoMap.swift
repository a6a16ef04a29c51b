extension MIDIFile {
  /// Returns the tempo and metre of tracks that count in quarter notes; nil where they contain none.
  static func songTempo(_ tracks: [MIDITrack], ticksPerQuarter: Int) -> TempoMap? {
    typealias Change = MIDITrack.Event<(tempo: Double?, metre: TempoMap.Metre?)>
    let changes = tracks.flatMap { track in
      track.tempos.map { Change(tick: $0.tick, content: (60e6 / Double($0.content), nil)) }
        + track.metres.map { Change(tick: $0.tick, content: (nil, $0.content)) }
    }
    guard !changes.isEmpty else { return nil }
    var map = TempoMap(tempo: 120)
    for change in inOrder(changes) {
      map.change(
        at: Double(change.tick) / Double(ticksPerQuarter), tempo: change.content.tempo,
        metre: change.content.metre)
    }
    return map
  }
}
