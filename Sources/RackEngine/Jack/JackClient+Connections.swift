import CJack
import Glibc

/// One port of ours and the name of the one it wants.
struct ConnectWish: Hashable {
  var port: String
  var other: String
}

extension JackClient {
  /// Replaces the connect wishes of the named ports (raw names), and makes those that can be made.
  public func setConnectWishes(_ wishes: [String: [String]]) {
    for (name, others) in wishes {
      ports[name]?.connectWishes = others
    }
    makeConnections()
  }

  /// Makes the wished connections whose other port is there. Each is tried once while that port
  /// lives, so that what somebody disconnects by hand stays so.
  func makeConnections() {
    guard state == .active else { return }
    for (name, port) in ports.sorted(by: { $0.key < $1.key }) {
      for other in port.connectWishes {
        let wish = ConnectWish(port: name, other: other)
        guard let found = library.pointee.jack_port_by_name(jack, other) else {
          wishesTried.remove(wish)
          continue
        }
        if wishesTried.insert(wish).inserted {
          connect(name, port, other, found)
        }
      }
    }
  }

  private func connect(
    _ name: String, _ port: RegisteredPort, _ other: String, _ found: OpaquePointer
  ) {
    let fullName = "\(self.name):\(name)"
    let status =
      port.isInput
      ? library.pointee.jack_connect(jack, other, fullName)
      : library.pointee.jack_connect(jack, fullName, other)
    if status == 0 || status == EEXIST {
      continuation.yield(.connected(port: fullName, to: other))
    } else {
      let reason = refusal(of: found, for: port)
      continuation.yield(.connectionFailed(port: fullName, to: other, reason: reason))
    }
  }

  private func refusal(of other: OpaquePointer, for port: RegisteredPort) -> String {
    let type = library.pointee.jack_port_type(other).map { String(cString: $0) }
    if (type == JACK_DEFAULT_MIDI_TYPE) != port.isMIDI {
      return port.isMIDI ? "it does not carry MIDI" : "it does not carry audio"
    }
    let wanted = port.isInput ? JackPortIsOutput : JackPortIsInput
    if UInt32(library.pointee.jack_port_flags(other)) & UInt32(wanted.rawValue) == 0 {
      return port.isInput ? "it is no output" : "it is no input"
    }
    return JackMessages.reason(otherwise: "JACK refuses")
  }
}
