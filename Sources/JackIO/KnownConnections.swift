/// The connections that a client has made, has still to make, or leaves as the user has left them.
struct KnownConnections {
  /// Auto-connections made while their other ports exist.
  var made: Set<JackConnection> = []
  /// Auto-connections whose refusal was reported; they are retried whenever ports change.
  var refused: Set<JackConnection> = []
  /// Auto-connections that were refused and are retried soon.
  var retries: Set<JackConnection> = []
  /// The former server's connections, to be restored once.
  var toRestore: Set<JackConnection> = []
  /// Auto-connections that the user has disconnected.
  var cuts: Set<JackConnection> = []
  /// Auto-connections that the user had disconnected at the former server.
  var toLeaveCut: Set<JackConnection> = []

  /// Removes those of a port that is unregistered.
  mutating func remove(_ port: String) {
    made = made.filter { $0.port != port }
    refused = refused.filter { $0.port != port }
  }
}
