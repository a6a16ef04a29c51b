import RackModel

/// The parameters and notes that peers hold, until they let go or leave.
struct Holds {
  /// A note that a peer plays.
  struct Note: Hashable {
    /// The name of the MIDI input or the unit.
    var target: String
    /// The channel, from 0.
    var channel: UInt8
    var key: UInt8
  }

  private var parameters: [Peer: Set<ParameterPath>] = [:]
  private var notes: [Peer: Set<Note>] = [:]

  func isHeld(_ path: ParameterPath) -> Bool { parameters.values.contains { $0.contains(path) } }

  func isHeld(_ path: ParameterPath, by peer: Peer) -> Bool {
    parameters[peer]?.contains(path) == true
  }

  mutating func hold(_ path: ParameterPath, by peer: Peer) {
    parameters[peer, default: []].insert(path)
  }

  mutating func release(_ path: ParameterPath, by peer: Peer) { parameters[peer]?.remove(path) }

  /// Adds the note of a note-on, and removes that of a note-off.
  mutating func follow(_ bytes: [UInt8], to target: String, by peer: Peer) {
    guard bytes.count == 3, [0x80, 0x90].contains(bytes[0] & 0xF0) else { return }
    let note = Note(target: target, channel: bytes[0] & 0x0F, key: bytes[1])
    if bytes[0] & 0xF0 == 0x90, bytes[2] > 0 {
      notes[peer, default: []].insert(note)
    } else {
      notes[peer]?.remove(note)
    }
  }

  /// The peers that hold parameters, or have held some.
  var peers: [Peer] { Array(parameters.keys) }

  /// Removes what a peer holds, and returns it.
  mutating func remove(_ peer: Peer) -> (parameters: Set<ParameterPath>, notes: Set<Note>) {
    (parameters.removeValue(forKey: peer) ?? [], notes.removeValue(forKey: peer) ?? [])
  }
}
