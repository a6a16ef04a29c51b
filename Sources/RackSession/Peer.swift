/// Who sends requests and receives events.
public struct Peer: Sendable, Hashable {
  public enum Place: Sendable {
    /// A program of the same machine.
    case machine
    /// The network: it may not name files.
    case network
  }

  public var place: Place
  /// Unique among the peers of all transports: `socket 7`, `osc 127.0.0.1:9000`.
  public var name: String

  /// Whether it has a connection, whose end says that it has left.
  public var isConnected: Bool

  public init(_ name: String, place: Place = .machine, isConnected: Bool = false) {
    (self.name, self.place, self.isConnected) = (name, place, isConnected)
  }
}
