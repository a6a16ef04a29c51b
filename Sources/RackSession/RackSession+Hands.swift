import AudioUnits
import Documents
import RackModel
import UnitModel

/// What one peer holds: it lets go when its connection ends.
struct Hand {
  /// A note that it plays.
  struct Note: Hashable {
    /// A MIDI input or a unit.
    var target: String
    /// From 0.
    var channel: UInt8
    var key: UInt8
  }

  var parameters: Set<ParameterPath> = []
  var notes: Set<Note> = []

  /// Follows a message to a target.
  fileprivate mutating func follow(_ bytes: [UInt8], to target: String) {
    guard bytes.count == 3, [0x80, 0x90].contains(bytes[0] & 0xF0) else { return }
    let note = Note(target: target, channel: bytes[0] & 0x0F, key: bytes[1])
    if bytes[0] & 0xF0 == 0x90, bytes[2] > 0 { notes.insert(note) } else { notes.remove(note) }
  }
}

/// The hands of the peers: on parameters and on keys.
extension RackSession {
  func release(_ path: ParameterPath, by peer: Peer) {
    hands[peer]?.parameters.remove(path)
    if !hands.values.contains(where: { $0.parameters.contains(path) }) { history.release(path) }
  }

  /// Follows what a person does to a parameter by means of its unit, such as playing keys that the unit
  /// records, as if a hand of that unit moved it.
  func follow(_ gesture: UnitGesture, of unit: String) {
    let peer = Peer(Self.unitPeer + unit)
    guard let audioUnit = self.unit(named: unit),
      let parameter = audioUnit.parameterTree.parameter(withAddress: gesture.address),
      parameter.flags.contains(.writable)
    else { return }
    let path = ParameterPath(unit: unit, keyPath: parameter.keyPath)
    switch gesture.type {
    case .touch:
      // A person's hand goes on.
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

  /// Units are gone, or their processes: gestures that they have begun are over.
  func leaveUnits(where isGone: (String) -> Bool) {
    for (peer, hand) in hands where peer.name.hasPrefix(Self.unitPeer) {
      guard isGone(String(peer.name.dropFirst(Self.unitPeer.count))) else { continue }
      for path in hand.parameters { release(path, by: peer) }
      hands[peer] = nil
    }
  }

  /// How the peers of units are named.
  private static let unitPeer = "unit "

  /// Sends a whole MIDI message, its status byte first: to a MIDI input, as if it had arrived there, or to
  /// a unit.
  ///
  /// - Parameter peer: its notes end when it leaves.
  /// - Throws: `Refusal` if there is no such input or unit; `AudioUnitError` or `RackError` if it takes no
  ///   MIDI, the bytes are not a message, or there is no room for it.
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
  ///   - target: a unit, or a MIDI input: then all units that play its notes and follow expressions.
  ///   - channel: from 0.
  /// - Throws: `Refusal` if there is no such unit or input; `AudioUnitError` if it does not follow expressions.
  public func express(
    _ expression: NoteExpression, to value: Float, key: UInt8, channel: UInt8, of target: String
  ) throws {
    if let input = rack.plan.midiInputs.firstIndex(where: { $0.name == target }) {
      let cables = rack.plan.midiCables.filter {
        $0.source == .port(input) && $0.filter.admits(key: Int(key), channel: Int(channel) + 1)
      }
      let followers = cables.compactMap { cable -> (AudioUnit, UInt8)? in
        guard case .unit(let place, let bus) = cable.destination,
          let unit = unit(named: rack.plan.units[place].name), unit.followsExpressions
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

  /// A peer has left: lets go of its parameters and ends its notes.
  public func leave(_ peer: Peer) async {
    guard let hand = hands[peer] else { return }
    for path in hand.parameters { release(path, by: peer) }
    hands[peer] = nil
    for note in hand.notes {
      try? await send(midi: [0x80 | note.channel, note.key, 64], to: note.target)
    }
  }
}
