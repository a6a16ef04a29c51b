import CIO

/// The state of a client whose server has ended, for the client at the next server.
public struct JackSavedState: Sendable {
  let clientName: String
  /// All connections of its ports, and those that it was still to restore.
  let connections: Set<JackConnection>
  /// Auto-connections that were made, and that somebody cut.
  let cuts: Set<JackConnection>
  /// Hz
  let sampleRate: Double
  let counters: bl_jack_saved_state

  /// The connections of a client of another name, whose ports may be connected to each other.
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
