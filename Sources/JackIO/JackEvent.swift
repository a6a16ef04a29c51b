/// What JACK tells a client while it plays.
public enum JackEvent: Sendable, Equatable {
  /// Frames a cycle from now on.
  case bufferSize(Int)
  /// Hz from now on.
  case sampleRate(Double)
  case freewheel(Bool)
  /// Xruns since the client began, and the last one's delay in microseconds.
  case xrun(total: Int, delay: Double)
  /// A connect wish came true; both names as JACK has them.
  case connected(port: String, to: String)
  /// The port that a connect wish names is there, but JACK does not connect it.
  case connectionFailed(port: String, to: String, reason: String)
  /// The server ended, or threw the client out. Nothing plays any more; close the client.
  case shutdown(reason: String)
}
