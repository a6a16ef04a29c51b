import JackIO

/// The engine's link to JACK.
struct ServerLink {
  enum State {
    case playing
    /// The server has ended; the task waits for the next server. `trouble`: the last reason why the engine could
    /// not return, as reported.
    case away(returning: Task<Void, Never>, trouble: String? = nil)
    /// The engine was stopped, or its server has ended and the engine with it.
    case ended
  }

  var session: JackSession
  var state = State.playing
  let endsWithServer: Bool
  let takesTimebase: Bool
  /// The tasks that handle the clients' events.
  var tasks: [Task<Void, Never>] = []
  /// Whether the server is being asked for its load and its latencies.
  var isAsked = false
  /// The total latencies of the outputs, frames, by name, as the server last reported them.
  var totalLatencies: [String: Int] = [:]

  init(_ session: JackSession, endsWithServer: Bool, takesTimebase: Bool) {
    self.session = session
    (self.endsWithServer, self.takesTimebase) = (endsWithServer, takesTimebase)
  }

  var client: JackClient { session.client }
  /// Whether a server plays the rack.
  var isPlaying: Bool { if case .playing = state { true } else { false } }
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Cancels the tasks that handle clients' events or wait for a server.
  func cancel() {
    for task in tasks { task.cancel() }
    if case .away(let returning, _) = state { returning.cancel() }
  }

  /// Sets the reason why the engine could not return; returns false if the reason is known already.
  mutating func updateTrouble(_ sentence: String) -> Bool {
    guard case .away(let returning, let known) = state, known != sentence else { return false }
    state = .away(returning: returning, trouble: sentence)
    return true
  }
}
