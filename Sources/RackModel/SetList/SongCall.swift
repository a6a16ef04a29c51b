import Documents

/// The MIDI program that chooses a song of a set list.
package struct SongCall: Sendable, Equatable {
  package var song: String
  /// The index of the MIDI input in the plan.
  package var port: Int
  package var source: ControlSource
}

extension Plan {
  /// The song calls from the least to the most specific: of several that match a message, the last is
  /// played.
  package var sortedSongCalls: [SongCall] {
    songCalls.enumerated().sorted {
      ($0.element.source.strictness, $0.offset) < ($1.element.source.strictness, $1.offset)
    }.map(\.element)
  }

  /// Returns the plan with the programs that choose the songs of a set list. They arrive at the MIDI input
  /// that the list names, which comes first, so that its selected bank persists from rack to rack.
  ///
  /// Returns the plan unchanged where no program chooses a song, or where the rack uses the name for
  /// anything else.
  package func listening(for list: SetList) -> Plan {
    let called = list.songs.compactMap { song in song.program.map { (song.name.value, $0) } }
    guard !called.isEmpty, !list.programs.isTaken(in: self) else { return self }
    var plan = self
    if let index = midiInputs.firstIndex(where: { $0.name == list.programs.name }) {
      plan.midiInputs.insert(plan.midiInputs.remove(at: index), at: 0)
    } else {
      let port = Port(
        name: list.programs.name, channelCount: 1, autoConnect: [list.programs.autoConnect])
      plan.midiInputs.insert(port, at: 0)
    }
    let places = midiInputs.map { port in
      plan.midiInputs.firstIndex { $0.name == port.name } ?? 0
    }
    for index in plan.midiCables.indices {
      guard case .port(let port) = plan.midiCables[index].source else { continue }
      plan.midiCables[index].source = .port(places[port])
    }
    for index in plan.controls.indices {
      plan.controls[index].port = places[plan.controls[index].port]
    }
    plan.songCalls = called.map { SongCall(song: $0, port: 0, source: $1) }
    return plan
  }
}

extension ProgramInput {
  /// Whether the rack uses the name for anything but a MIDI input.
  func isTaken(in plan: Plan) -> Bool {
    let others = plan.inputs + plan.outputs
    return others.contains { $0.name == name || $0.channelNames.contains(name) }
      || plan.midiOutputs.contains { $0.name == name } || plan.units.contains { $0.name == name }
  }
}

extension ControlSource {
  /// The number of conditions on bank and channel.
  fileprivate var strictness: Int {
    (bank == nil ? 0 : 1) + (bank?.fine == nil ? 0 : 1) + (channel == nil ? 0 : 1)
  }
}
