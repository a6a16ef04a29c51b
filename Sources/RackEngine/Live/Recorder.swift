import AsyncSupport

/// The state of the engine's recording.
struct Recorder {
  enum State {
    case idle
    case recording(Recording)
    /// The server is away; the recording continues in another file at the next server.
    case interrupted(next: RecordingRequest)
  }

  var state = State.idle
  /// The mutex by which files are completed one after the other, since a slow disk delays them.
  let completions = AsyncMutex()

  /// The recording under way.
  var recording: Recording? {
    if case .recording(let recording) = state { recording } else { nil }
  }
}
