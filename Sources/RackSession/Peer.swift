/// Who sends requests and receives events.
public struct Peer: Sendable, Hashable {
  /// A program of the same machine may name files; a peer of the network may not.
  package var access: Access
  /// Unique among the peers of all transports: `socket 7`, `osc 127.0.0.1:9000`.
  public var name: String

  /// Whether it has a connection, whose end says that it has left.
  public var isConnected: Bool

  package init(_ name: String, access: Access = .edit, isConnected: Bool = false) {
    (self.name, self.access, self.isConnected) = (name, access, isConnected)
  }

  public static func == (a: Peer, b: Peer) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
