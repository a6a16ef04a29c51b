import CIO
import CJack

extension JackClient {
  /// Notes what somebody has undone of what was wished for: not so what went with its other port.
  func noteCuts() {
    let made = madeConnections(of: Set(wishesGranted.map(\.port)))
    wishesCut = wishesGranted.subtracting(made)
  }

  /// Forgets the connections to ports that were registered anew: whoever had registered them before has
  /// ended, so that nobody cut those cables, and they are made once more.
  func forgetReplacedPorts() {
    var identifier: jack_port_id_t = 0
    var names: Set<String> = []
    while bl_jack_client_pop_registration(callbacks, &identifier) {
      guard let port = library.pointee.jack_port_by_id(jack, identifier),
        let name = library.pointee.jack_port_name(port)
      else { continue }
      names.insert(String(cString: name))
    }
    let replaced = wishesGranted.filter { names.contains($0.other) }
    guard !replaced.isEmpty else { return }
    wishesGranted.subtract(replaced.subtracting(madeConnections(of: Set(replaced.map(\.port)))))
  }

  /// Notes what the ports are connected to, once the server is gone: libjack keeps its memory of that
  /// until the client is closed.
  func rememberConnections() {
    let made = madeConnections(of: Set(ports.keys))
    connectionsAtEnd = (made.union(toRestore), wishesCut.subtracting(made).union(toLeaveCut))
  }

  /// What each port is connected to now, and the wishes for ports that are not there at present.
  package func presentConnections() throws(JackError) -> [String: [String]] {
    guard state == .active else { throw .closed }
    let made = madeConnections(of: Set(ports.keys))
    var present: [String: [String]] = [:]
    for (name, port) in ports {
      let wished = port.autoConnect.filter { other in
        made.contains(JackConnection(port: name, other: other))
          || library.pointee.jack_port_by_name(jack, other) == nil
      }
      let others = made.filter { $0.port == name && !wished.contains($0.other) }.map(\.other)
      present[name] = wished + others.sorted()
    }
    return present
  }

  private func madeConnections(of names: Set<String>) -> Set<JackConnection> {
    var made: Set<JackConnection> = []
    for name in names {
      guard let port = ports[name],
        let list = library.pointee.jack_port_get_all_connections(jack, port.pointer)
      else { continue }
      var next = list
      while let other = next.pointee {
        made.insert(JackConnection(port: name, other: String(cString: other)))
        next += 1
      }
      library.pointee.jack_free(list)
    }
    return made
  }

  /// A server's transport that nobody has moved yet goes where the one before stood: for units the
  /// music must not jump back.
  func restoreTransport(_ legacy: JackLegacy) {
    var position = jack_position_t()
    let state = library.pointee.jack_transport_query(jack, &position)
    let seconds = Double(legacy.past.transport_frame) / legacy.sampleRate
    // JACK counts in 32 bits, which at another rate may be too few.
    guard let frame = UInt32(exactly: (seconds * sampleRate).rounded()), frame > 0,
      position.frame == 0, state == JackTransportStopped,
      library.pointee.jack_transport_locate(jack, frame) == 0
    else { return }
    // It moves with one of the next cycles.
    for _ in 0..<10 where position.frame == 0 {
      _ = bl_jack_client_wait_for_cycle(callbacks, 20)
      _ = library.pointee.jack_transport_query(jack, &position)
    }
  }
}
