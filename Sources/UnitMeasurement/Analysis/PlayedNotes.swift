/// A note that a MIDI processor has sent: its times in seconds, and its number.
package struct PlayedNote {
  package let start, end: Double
  package let note, velocity: Double
}

extension UnitHost {
  /// Returns the notes that the unit starts and ends within so many seconds, in order of their
  /// starts.
  package func notes(seconds: Double, events: [Event] = []) -> [PlayedNote] {
    _ = render(frames: Int(seconds * sampleRate), events: events)
    return sentMIDI.indices.filter { sentMIDI[$0].bytes[0] & 0xF0 == 0x90 }.compactMap { place in
      let bytes = sentMIDI[place].bytes
      let end = sentMIDI[place...].first {
        $0.bytes[0] == bytes[0] - 0x10 && $0.bytes[1] == bytes[1]
      }
      return end.map {
        PlayedNote(
          start: Double(sentMIDI[place].sampleTime) / sampleRate,
          end: Double($0.sampleTime) / sampleRate, note: Double(bytes[1]),
          velocity: Double(bytes[2]))
      }
    }
  }
}

extension Plot.Curve {
  /// Returns a curve of each note from its start to its end, at its pitch or at its `height`.
  package static func notes(
    _ name: String, _ notes: [PlayedNote], height: (PlayedNote) -> Double = \.note
  ) -> Plot.Curve {
    Plot.Curve(
      name,
      notes.flatMap { [Plot.Point($0.start, height($0)), Plot.Point($0.end, height($0))] })
  }
}

extension UnitHost.Event {
  /// All 88 piano keys, one every 30 ms, with the sustain pedal down.
  package static var everyPianoKey: [UnitHost.Event] {
    [.midi([0xB0, 64, 127], at: 0)]
      + (0..<88).flatMap { place in
        let start = 0.03 * Double(place)
        return key(21 + UInt8(place), from: start, to: start + 0.02)
      }
  }

  /// Returns the events of a key held from one time to another, seconds.
  package static func key(
    _ key: UInt8, velocity: UInt8 = 100, from start: Double, to end: Double
  ) -> [UnitHost.Event] {
    [
      .midi([0x90, key, velocity], at: Int((start * 48_000).rounded())),
      .midi([0x80, key, 0], at: Int((end * 48_000).rounded())),
    ]
  }
}
