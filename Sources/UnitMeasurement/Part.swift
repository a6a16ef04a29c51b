/// Parts for judging instruments' presets: four seconds of keys at a velocity of 100.
package enum Part: String, Sendable, CustomStringConvertible {
  /// Two chords of three notes, two seconds each.
  case chords
  /// Quarter notes around middle C, at 120 beats per minute.
  case line
  /// The part of `line`, two octaves lower.
  case bass
  /// Two bars of kick, snare and hats.
  case beat

  package var description: String { rawValue }

  /// The loudness of both channels, LUFS.
  package static let loudness = -24.0

  package var events: [UnitHost.Event] {
    switch self {
    case .chords: Self.chord([60, 64, 67], from: 0) + Self.chord([57, 60, 64], from: 2)
    case .line: Self.quarters([60, 62, 64, 67, 69, 67, 64, 60])
    case .bass: Self.quarters([36, 36, 39, 41, 43, 41, 39, 34])
    case .beat: Self.strokes
    }
  }

  /// Returns the events of a chord, in order of time, as hosts send them.
  private static func chord(_ keys: [UInt8], from start: Double) -> [UnitHost.Event] {
    let notes = keys.map { UnitHost.Event.key($0, from: start, to: start + 1.9) }
    return notes.map { $0[0] } + notes.map { $0[1] }
  }

  private static func quarters(_ keys: [UInt8]) -> [UnitHost.Event] {
    keys.enumerated().flatMap { place, key in
      UnitHost.Event.key(key, from: 0.5 * Double(place), to: 0.5 * Double(place) + 0.45)
    }
  }

  private static var strokes: [UnitHost.Event] {
    (0..<32).flatMap { step in
      let keys: [UInt8?] = [
        [0, 6, 8, 10].contains(step % 16) ? 36 : nil, step % 8 == 4 ? 38 : nil, 42,
      ]
      return keys.compactMap(\.self).map { UnitHost.Event.midi([0x99, $0, 100], at: 6000 * step) }
    }
  }
}
