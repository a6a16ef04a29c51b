import JackIO

/// The engine's link to JACK.
struct ServerLink {
  enum State {
    case playing
    /// The server has ended; the task waits for the next one. `trouble`: why it could not return, reported once.
    case away(returning: Task<Void, Never>, trouble: String? = nil)
    /// The engine was stopped, or its server has ended and the engine with it.
    case ended
  }

  var session: JackSession
  var state = State.playing
  let endsWithServer: Bool
  let takesTimebase: Bool
  /// Follow the events of the clients.
  var tasks: [Task<Void, Never>] = []
  /// Whether the server is being asked for its load and its latencies.
  var isAsked = false
  /// Of the outputs, by name, as the server last had them.
  var totalLatencies: [String: Int] = [:]

  init(_ session: JackSession, endsWithServer: Bool, takesTimebase: Bool) {
    self.session = session
    (self.endsWithServer, self.takesTimebase) = (endsWithServer, takesTimebase)
  }

  var client: JackClient { session.client }
  /// Whether a server plays the rack.
  var isPlaying: Bool { if case .playing = state { true } else { false } }
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Ends all that waits for a server.
  func cancel() {
    for task in tasks { task.cancel() }
    if case .away(let returning, _) = state { returning.cancel() }
  }

  /// Notes why the engine could not return; false if that is known.
  mutating func note(trouble sentence: String) -> Bool {
    guard case .away(let returning, let known) = state, known != sentence else { return false }
    state = .away(returning: returning, trouble: sentence)
    return true
  }
}
