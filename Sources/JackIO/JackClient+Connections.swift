import CIO
import CJack
import Glibc

extension JackClient {
  /// Makes the wished connections whose other port is there, and those to be restored. Each is made
  /// once while that port lives, so that what somebody disconnects by hand stays so.
  func makeConnections() {
    guard state == .active else { return }
    for (name, port) in ports.sorted(by: { $0.key < $1.key }) {
      for other in port.autoConnect { grant(JackConnection(port: name, other: other), port) }
    }
    restoreConnections()
  }

  private func grant(_ wish: JackConnection, _ port: RegisteredPort) {
    guard let found = library.pointee.jack_port_by_name(jack, wish.other) else {
      wishesGranted.remove(wish)
      wishesRefused.remove(wish)
      return
    }
    if toLeaveCut.remove(wish) != nil { wishesGranted.insert(wish) }
    if !wishesGranted.contains(wish), connect(wish, port, found) {
      wishesGranted.insert(wish)
    }
  }

  private func restoreConnections() {
    let order = toRestore.sorted { ($0.port, $0.other) < ($1.port, $1.other) }
    for connection in order {
      if wishesGranted.contains(connection) {
        toRestore.remove(connection)
      } else if let port = ports[connection.port],
        let found = library.pointee.jack_port_by_name(jack, connection.other),
        connect(connection, port, found)
      {
        toRestore.remove(connection)
      }
    }
  }

  private func connect(
    _ wish: JackConnection, _ port: RegisteredPort, _ found: OpaquePointer
  ) -> Bool {
    let fullName = "\(name):\(wish.port)"
    _ = JackMessages.drain()
    let status =
      port.isInput
      ? library.pointee.jack_connect(jack, wish.other, fullName)
      : library.pointee.jack_connect(jack, fullName, wish.other)
    if status == 0 || status == EEXIST {
      continuation.yield(.connected(port: fullName, to: wish.other))
      return true
    }
    let reason = JackMessages.reason(otherwise: "JACK refuses")
    // A port is there a little before its client is active; JACK tells again when that is.
    guard !reason.contains("not active"), !bl_jack_client_is_shut_down(callbacks) else {
      return false
    }
    if let mismatch = mismatch(of: found, with: port) {
      refuse(wish, because: mismatch)
    } else {
      retry(wish, reason)
    }
    return false
  }

  private func refuse(_ wish: JackConnection, because reason: String) {
    guard wishesRefused.insert(wish).inserted else { return }
    continuation.yield(
      .connectionFailed(port: "\(name):\(wish.port)", to: wish.other, reason: reason))
  }

  /// Tries again two seconds later and reports the refusal only then: clients that start or end refuse
  /// for a moment.
  private func retry(_ wish: JackConnection, _ reason: String) {
    guard !wishesRefused.contains(wish), retries.insert(wish).inserted else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(2))
      await self?.endRetry(wish, reason)
    }
  }

  private func endRetry(_ wish: JackConnection, _ reason: String) {
    makeConnections()
    retries.remove(wish)
    guard state == .active, !wishesGranted.contains(wish),
      toRestore.contains(wish) || ports[wish.port]?.autoConnect.contains(wish.other) == true,
      library.pointee.jack_port_by_name(jack, wish.other) != nil
    else { return }
    refuse(wish, because: reason)
  }

  /// Why two ports can never be connected; nil where they can.
  private func mismatch(of other: OpaquePointer, with port: RegisteredPort) -> String? {
    let type = library.pointee.jack_port_type(other).map { String(cString: $0) }
    if (type == JACK_DEFAULT_MIDI_TYPE) != port.isMIDI {
      return port.isMIDI ? "it does not carry MIDI" : "it does not carry audio"
    }
    let wanted = port.isInput ? JackPortIsOutput : JackPortIsInput
    if UInt32(library.pointee.jack_port_flags(other)) & UInt32(wanted.rawValue) == 0 {
      return port.isInput ? "it is no output" : "it is no input"
    }
    return nil
  }
}
