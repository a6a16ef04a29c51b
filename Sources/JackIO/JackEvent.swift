/// An event of a JACK client.
public enum JackEvent: Sendable, Equatable {
  /// The buffer size has changed, frames per cycle.
  case bufferSize(Int)
  /// The sample rate has changed, Hz.
  case sampleRate(Double)
  case freewheel(Bool)
  /// An xrun: the number since the client was activated, and the delay of the last, microseconds.
  case xrun(total: Int, delay: Double)
  /// An auto-connection was made; both names are full port names.
  case connected(port: String, to: String)
  /// The other port of an auto-connection exists, but JACK refuses the connection.
  case connectionFailed(port: String, to: String, reason: String)
  /// A problem and its remedy; playing continues.
  case warning(String)
  /// The server has ended or removed the client, which must be closed.
  case shutdown(reason: String)
}
