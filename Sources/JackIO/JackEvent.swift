/// An event of a JACK client.
public enum JackEvent: Sendable, Equatable {
  /// Frames a cycle from now on.
  case bufferSize(Int)
  /// Hz from now on.
  case sampleRate(Double)
  case freewheel(Bool)
  /// Xruns since the client was activated, and the delay of the last in microseconds.
  case xrun(total: Int, delay: Double)
  /// An auto-connection was made; both are full names.
  case connected(port: String, to: String)
  /// The other port of an auto-connection exists, but JACK does not connect it.
  case connectionFailed(port: String, to: String, reason: String)
  /// What does not work, and what to do; the music goes on.
  case warning(String)
  /// The server has ended or removed the client, which is to be closed.
  case shutdown(reason: String)
}
