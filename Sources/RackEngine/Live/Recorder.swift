import AsyncSupport

/// What the engine records.
struct Recorder {
  enum State {
    case idle
    case recording(Recording)
    /// The server is away; the recording goes on in another file at the next.
    case interrupted(next: RecordingRequest)
  }

  var state = State.idle
  /// Completes files one after the other, which a slow disk delays.
  let completions = AsyncMutex()

  /// The recording under way.
  var recording: Recording? {
    if case .recording(let recording) = state { recording } else { nil }
  }
}
