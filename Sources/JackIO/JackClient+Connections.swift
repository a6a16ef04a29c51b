import CIO
import CJack
import Glibc

/// A connection: a port of the client, without the client's name, and the full name of another
/// port.
struct JackConnection: Hashable, Sendable {
  var port: String
  var other: String
}

extension JackClient {
  /// Makes the auto-connections, and those to be restored, whose other ports exist. Each is made once
  /// while the other port exists, so that a cable that the user disconnects stays disconnected.
  func makeConnections() {
    guard state == .active else { return }
    let wanted = ports.sorted { $0.key < $1.key }.flatMap { name, port in
      port.autoConnect.map { JackConnection(port: name, other: $0) }
    }
    let restored = connections.toRestore.subtracting(wanted).sorted {
      ($0.port, $0.other) < ($1.port, $1.other)
    }
    for connection in wanted { make(connection, isAuto: true) }
    for connection in restored { make(connection, isAuto: false) }
  }

  private func make(_ connection: JackConnection, isAuto: Bool) {
    guard let port = ports[connection.port] else { return }
    guard let other = library.pointee.jack_port_by_name(jack, connection.other) else {
      connections.made.remove(connection)
      connections.refused.remove(connection)
      return
    }
    if connections.toLeaveCut.remove(connection) != nil { connections.made.insert(connection) }
    if connections.made.contains(connection) || connect(connection, port, other) {
      if isAuto { connections.made.insert(connection) }
      connections.toRestore.remove(connection)
    }
  }

  private func connect(
    _ connection: JackConnection, _ port: RegisteredPort, _ other: OpaquePointer
  ) -> Bool {
    let fullName = "\(name):\(connection.port)"
    JackMessages.clear()
    let status =
      port.isInput
      ? library.pointee.jack_connect(jack, connection.other, fullName)
      : library.pointee.jack_connect(jack, fullName, connection.other)
    if status == 0 || status == EEXIST {
      continuation.yield(.connected(port: fullName, to: connection.other))
      return true
    }
    let reason = JackMessages.reason(otherwise: "JACK refuses")
    guard !bl_jack_client_is_shut_down(callbacks) else { return false }
    if let mismatch = mismatch(of: other, with: port) {
      refuse(connection, because: mismatch)
    } else {
      retry(connection, reason)
    }
    return false
  }

  private func refuse(_ connection: JackConnection, because reason: String) {
    guard connections.refused.insert(connection).inserted else { return }
    continuation.yield(
      .connectionFailed(
        port: "\(name):\(connection.port)", to: connection.other, reason: reason))
  }

  /// Retries two seconds later and reports a refusal only then: clients that start or end refuse for a
  /// moment, since a port exists a little before its client is active.
  private func retry(_ connection: JackConnection, _ reason: String) {
    guard !connections.refused.contains(connection), connections.retries.insert(connection).inserted
    else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(2))
      await self?.endRetry(connection, reason)
    }
  }

  private func endRetry(_ connection: JackConnection, _ reason: String) {
    makeConnections()
    connections.retries.remove(connection)
    let isWanted = ports[connection.port]?.autoConnect.contains(connection.other) == true
    guard state == .active, !connections.made.contains(connection),
      isWanted || connections.toRestore.contains(connection),
      library.pointee.jack_port_by_name(jack, connection.other) != nil
    else { return }
    refuse(connection, because: reason)
  }

  /// Returns the reason why two ports can never be connected; nil if they can.
  private func mismatch(of other: OpaquePointer, with port: RegisteredPort) -> String? {
    let type = library.pointee.jack_port_type(other).map { String(cString: $0) }
    if (type == JACK_DEFAULT_MIDI_TYPE) != port.isMIDI {
      return port.isMIDI ? "it does not carry MIDI" : "it does not carry audio"
    }
    let direction = port.isInput ? JackPortIsOutput : JackPortIsInput
    if UInt32(library.pointee.jack_port_flags(other)) & UInt32(direction.rawValue) == 0 {
      return port.isInput ? "it is not an output" : "it is not an input"
    }
    return nil
  }

  /// Records the auto-connections that were disconnected, as long as their other ports exist.
  func recordCuts() {
    connections.cuts = connections.made.subtracting(
      presentConnections(of: Set(connections.made.map(\.port))))
  }

  /// Forgets the connections to ports that were registered anew: their client has restarted, so the
  /// connections were not cut by the user and are made again.
  func removeReplacedPorts() {
    var identifier: jack_port_id_t = 0
    var names: Set<String> = []
    while bl_jack_client_pop_registration(callbacks, &identifier) {
      guard let port = library.pointee.jack_port_by_id(jack, identifier),
        let name = library.pointee.jack_port_name(port)
      else { continue }
      names.insert(String(cString: name))
    }
    let replaced = connections.made.filter { names.contains($0.other) }
    guard !replaced.isEmpty else { return }
    connections.made.subtract(
      replaced.subtracting(presentConnections(of: Set(replaced.map(\.port)))))
  }

  /// Records the connections once the server has ended: libjack keeps them until the client is closed.
  func recordLastConnections() {
    let present = presentConnections(of: Set(ports.keys))
    lastConnections = (
      present.union(connections.toRestore),
      connections.cuts.subtracting(present).union(connections.toLeaveCut)
    )
  }

  /// Returns the connections of each port, and its auto-connections to ports that do not exist now.
  package func presentConnections() throws(JackError) -> [String: [String]] {
    guard state == .active else { throw .closed }
    let present = presentConnections(of: Set(ports.keys))
    var names: [String: [String]] = [:]
    for (name, port) in ports {
      let wanted = port.autoConnect.filter { other in
        present.contains(JackConnection(port: name, other: other))
          || library.pointee.jack_port_by_name(jack, other) == nil
      }
      let others = present.filter { $0.port == name && !wanted.contains($0.other) }.map(\.other)
      names[name] = wanted + others.sorted()
    }
    return names
  }

  private func presentConnections(of names: Set<String>) -> Set<JackConnection> {
    var present: Set<JackConnection> = []
    for name in names {
      guard let port = ports[name],
        let list = library.pointee.jack_port_get_all_connections(jack, port.pointer)
      else { continue }
      var next = list
      while let other = next.pointee {
        present.insert(JackConnection(port: name, other: String(cString: other)))
        next += 1
      }
      library.pointee.jack_free(list)
    }
    return present
  }
}
