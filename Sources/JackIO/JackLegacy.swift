import CIO

/// What a client whose server is gone leaves to the one that takes its place at the next.
public struct JackLegacy: Sendable {
  let clientName: String
  /// Those that it had, whoever made them, and those that it was still to restore.
  let connections: Set<JackConnection>
  /// Wishes of the rack that had come true, and that somebody undid.
  let cuts: Set<JackConnection>
  /// Hz, of the server that is gone.
  let sampleRate: Double
  let past: bl_jack_saved_state

  /// The connections as those of a client of another name; some may be from port to port of it.
  func connections(ofClient name: String) -> Set<JackConnection> {
    let prefix = "\(clientName):"
    return Set(
      connections.map { connection in
        guard connection.other.hasPrefix(prefix) else { return connection }
        let own = connection.other.dropFirst(prefix.count)
        return JackConnection(port: connection.port, other: "\(name):\(own)")
      })
  }
}
