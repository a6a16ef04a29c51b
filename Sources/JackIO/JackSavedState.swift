import CIO

/// The state of a client whose server has ended, for the client at the next server.
public struct JackSavedState: Sendable {
  let clientName: String
  /// All connections of its ports, and those that it had not restored yet.
  let connections: Set<JackConnection>
  /// The auto-connections that the user has disconnected.
  let cuts: Set<JackConnection>
  /// The sample rate, Hz.
  let sampleRate: Double
  let counters: bl_jack_saved_state

  /// Returns the connections, renamed for a client of another name; its own ports may be connected
  /// to each other.
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
