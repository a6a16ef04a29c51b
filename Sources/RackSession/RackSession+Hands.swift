import AudioUnits
import Documents
import RackModel
import UnitModel

/// The parameters and notes that one peer holds, until the peer leaves.
struct Hand {
  /// A note that the peer plays.
  struct Note: Hashable {
    /// The name of the MIDI input or the unit.
    var target: String
    /// The channel, from 0.
    var channel: UInt8
    var key: UInt8
  }

  var parameters: Set<ParameterPath> = []
  var notes: Set<Note> = []

  /// Records the note of a note-on, and removes that of a note-off.
  fileprivate mutating func follow(_ bytes: [UInt8], to target: String) {
    guard bytes.count == 3, [0x80, 0x90].contains(bytes[0] & 0xF0) else { return }
    let note = Note(target: target, channel: bytes[0] & 0x0F, key: bytes[1])
    if bytes[0] & 0xF0 == 0x90, bytes[2] > 0 { notes.insert(note) } else { notes.remove(note) }
  }
}

/// The parameters and notes that peers hold.
extension RackSession {
  func release(_ path: ParameterPath, by peer: Peer) {
    hands[peer]?.parameters.remove(path)
    if !hands.values.contains(where: { $0.parameters.contains(path) }) { history.release(path) }
  }

  /// Records a gesture that a unit reports, such as a change by keys that the unit records, for undo. A peer in the
  /// unit's name holds the parameter.
  func follow(_ gesture: UnitGesture, of unit: String) {
    let peer = Peer(Self.unitPeer + unit)
    guard let audioUnit = self.unit(named: unit),
      let parameter = audioUnit.parameterTree.parameter(withAddress: gesture.address),
      parameter.flags.contains(.writable)
    else { return }
    let path = ParameterPath(unit: unit, keyPath: parameter.keyPath)
    switch gesture.type {
    case .touch:
      // The parameter stays with the peer that holds it.
      guard !hands.values.contains(where: { $0.parameters.contains(path) }) else { return }
      hands[peer, default: Hand()].parameters.insert(path)
      history.hold(path, by: peer)
    case .value:
      end(path)
      guard hands[peer]?.parameters.contains(path) == true, gesture.value != gesture.before else {
        return
      }
      let text = parameter.string(fromValue: gesture.value)
      history.add(
        .value(path, before: gesture.before, after: gesture.value),
        title: "set \(path) to \(text)", isGesture: true)
    case .release: release(path, by: peer)
    }
  }

  /// Ends the gestures of units that were removed or whose processes ended.
  func leaveUnits(where isGone: (String) -> Bool) {
    for (peer, hand) in hands where peer.name.hasPrefix(Self.unitPeer) {
      guard isGone(String(peer.name.dropFirst(Self.unitPeer.count))) else { continue }
      for path in hand.parameters { release(path, by: peer) }
      hands[peer] = nil
    }
  }

  /// The prefix of the names of units' peers.
  private static let unitPeer = "unit "

  /// Sends a MIDI message to a unit, or to a MIDI input as if the message had arrived there.
  ///
  /// - Parameters:
  ///   - bytes: the whole message, the status byte first.
  ///   - peer: the sender, whose notes end when it leaves; nil for the program itself.
  /// - Throws: `Refusal` if there is no such input or unit; `AudioUnitError` or `RackError` if the unit accepts no
  ///   MIDI, the bytes are not a message, or the queue is full.
  public func send(midi bytes: [UInt8], to target: String, from peer: Peer? = nil) async throws {
    if let input = rack.plan.midiInputs.firstIndex(where: { $0.name == target }) {
      try await engine.send(midi: bytes, toInput: input)
    } else if let unit = unit(named: target) {
      try unit.scheduleMIDI(bytes: bytes)
    } else {
      throw noTarget(target)
    }
    if let peer, peer.isConnected { hands[peer, default: Hand()].follow(bytes, to: target) }
  }

  /// Moves an expression of the notes of a key that is down.
  ///
  /// - Parameters:
  ///   - value: semitones of pitch, a factor of gain, -1 to 1 of pan, 0 to 1 of pressure and timbre.
  ///   - channel: the channel, from 0.
  ///   - target: a unit, or a MIDI input for all units that play its notes and follow expressions.
  /// - Throws: `Refusal` if there is no such unit or input, or no unit of the input follows expressions;
  ///   `AudioUnitError` if the unit does not follow expressions.
  public func express(
    _ expression: NoteExpression, to value: Float, key: UInt8, channel: UInt8, of target: String
  ) throws {
    if let input = rack.plan.midiInputs.firstIndex(where: { $0.name == target }) {
      let cables = rack.plan.midiCables.filter {
        $0.source == .port(input) && $0.filter.admits(key: Int(key), channel: Int(channel) + 1)
      }
      let followers = cables.compactMap { cable -> (AudioUnit, UInt8)? in
        guard case .unit(let index, let bus) = cable.destination,
          let unit = unit(named: rack.plan.units[index].name), unit.followsExpressions
        else { return nil }
        return (unit, UInt8(clamping: bus))
      }
      guard !followers.isEmpty else {
        throw Refusal(
          "no unit that plays the notes of “\(target)” follows expressions of single notes")
      }
      for (unit, cable) in followers {
        try unit.scheduleExpression(
          expression, to: value, of: .key(key, channel: channel), cable: cable)
      }
    } else if let unit = unit(named: target) {
      try unit.scheduleExpression(expression, to: value, of: .key(key, channel: channel))
    } else {
      throw noTarget(target)
    }
  }

  private func noTarget(_ target: String) -> Refusal {
    let names = rack.plan.midiInputs.map(\.name) + feed.units.map(\.name)
    return Refusal(
      "there is no MIDI input or unit “\(target)”", suggestion: nearestWord(to: target, in: names))
  }

  /// Releases the parameters and ends the notes of a peer that has left.
  public func leave(_ peer: Peer) async {
    guard let hand = hands[peer] else { return }
    for path in hand.parameters { release(path, by: peer) }
    hands[peer] = nil
    for note in hand.notes {
      try? await send(midi: [0x80 | note.channel, note.key, 64], to: note.target)
    }
  }
}
