import AudioUnits
import Documents
import RackModel
import UnitModel

/// The parameters and notes that peers hold.
extension RackSession {
  func hold(_ path: ParameterPath, by peer: Peer) {
    holds.hold(path, by: peer)
    history.hold(path, by: peer)
  }

  func release(_ path: ParameterPath, by peer: Peer) {
    holds.release(path, by: peer)
    if !holds.isHeld(path) { history.release(path) }
  }

  /// Releases the parameters of a peer; returns the notes that it has held.
  @discardableResult
  private func releaseAll(of peer: Peer) -> Set<Holds.Note> {
    let (parameters, notes) = holds.remove(peer)
    for path in parameters where !holds.isHeld(path) { history.release(path) }
    return notes
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
      if !holds.isHeld(path) { hold(path, by: peer) }
    case .value:
      endRamp(of: path)
      guard holds.isHeld(path, by: peer), gesture.value != gesture.before else { return }
      guard let found = try? find(path) else { return }
      history.add(
        .value(path, before: gesture.before, after: gesture.value),
        title: found.title(of: gesture.value), isGesture: true)
    case .release: release(path, by: peer)
    }
  }

  /// Ends the gestures of units that were removed or whose processes ended.
  func leaveUnits(where isGone: (String) -> Bool) {
    for peer in holds.peers where peer.name.hasPrefix(Self.unitPeer) {
      guard isGone(String(peer.name.dropFirst(Self.unitPeer.count))) else { continue }
      releaseAll(of: peer)
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
    if let peer, peer.isConnected { holds.follow(bytes, to: target, by: peer) }
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
    for note in releaseAll(of: peer) {
      try? await send(midi: [0x80 | note.channel, note.key, 64], to: note.target)
    }
  }
}
