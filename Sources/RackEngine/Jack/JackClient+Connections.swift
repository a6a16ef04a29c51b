import CJack
import Glibc

/// One port of ours and the name of the one it wants.
struct ConnectWish: Hashable {
  var port: String
  var other: String
}

extension JackClient {
  /// Makes the wished connections whose other port is there. Each is made once while that port
  /// lives, so that what somebody disconnects by hand stays so.
  func makeConnections() {
    guard state == .active else { return }
    for (name, port) in ports.sorted(by: { $0.key < $1.key }) {
      for other in port.connectWishes {
        let wish = ConnectWish(port: name, other: other)
        guard let found = library.pointee.jack_port_by_name(jack, other) else {
          wishesGranted.remove(wish)
          wishesRefused.remove(wish)
          continue
        }
        if !wishesGranted.contains(wish) {
          connect(wish, port, found)
        }
      }
    }
  }

  private func connect(_ wish: ConnectWish, _ port: RegisteredPort, _ found: OpaquePointer) {
    let fullName = "\(name):\(wish.port)"
    _ = JackMessages.drain()
    let status =
      port.isInput
      ? library.pointee.jack_connect(jack, wish.other, fullName)
      : library.pointee.jack_connect(jack, fullName, wish.other)
    if status == 0 || status == EEXIST {
      wishesGranted.insert(wish)
      continuation.yield(.connected(port: fullName, to: wish.other))
      return
    }
    let reason = refusal(of: found, for: port)
    // A port is there a little before its client is active; JACK tells again when that is.
    guard !reason.contains("not active") else { return }
    if wishesRefused.insert(wish).inserted {
      continuation.yield(.connectionFailed(port: fullName, to: wish.other, reason: reason))
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
