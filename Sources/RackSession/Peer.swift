/// A program or a device that sends requests and receives events.
public struct Peer: Sendable, Hashable {
  /// The rights of the peer: a program of the same machine may name files, a peer of the network may not.
  package var access: Access
  /// The name of the peer, unique among the peers of all transports: `socket 7`, `osc 127.0.0.1:9000`.
  public var name: String

  /// Whether the peer has a connection, so that the session learns when the peer leaves.
  public var isConnected: Bool

  package init(_ name: String, access: Access = .edit, isConnected: Bool = false) {
    (self.name, self.access, self.isConnected) = (name, access, isConnected)
  }

  public static func == (a: Peer, b: Peer) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
