import OSC

@testable import RackEngine

/// A peer of an OSC server that may do as it likes.
package final class OSCPeerProbe {
  package let socket: OSCSocket
  package let server: OSCEndpoint
  private var waiting: [OSCMessage] = []

  package init(_ server: OSCEndpoint, through socket: OSCSocket? = nil) throws {
    self.socket = try socket ?? OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0))
    self.server = server
  }

  package struct Silent: Error, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  package func send(_ address: String, _ arguments: OSCArgument...) {
    send(OSCMessage(address, arguments).bytes)
  }

  package func send(_ bytes: [UInt8]) { socket.send(bytes, to: server) }

  /// The next message that has come; nil while there is none.
  package func next() -> OSCMessage? {
    if waiting.isEmpty, let (bytes, _) = socket.receive() {
      waiting = ((try? OSCPacket.elements(of: bytes)) ?? []).map(\.message)
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Waits for a message to an address; what comes before is passed over, but for errors.
  package func message(_ address: String) async throws -> OSCMessage {
    for _ in 0..<4000 {
      while let message = next() {
        if message.address == address { return message }
        if message.address == "/error" { throw Silent(description: "\(message)") }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Silent(description: address)
  }

  /// Sends something and waits for what comes back to an address.
  package func ask(
    _ address: String, _ arguments: OSCArgument..., answer: String
  ) async throws -> OSCMessage {
    send(OSCMessage(address, arguments).bytes)
    return try await message(answer)
  }

  /// Leaves, and answers all that was told before.
  package func messagesUpToNow() async throws -> [OSCMessage] {
    send("/unsubscribe")
    var messages: [OSCMessage] = []
    for _ in 0..<4000 {
      while let message = next() {
        if message.address == "/reply", message.arguments.first == .text("/unsubscribe") {
          return messages
        }
        messages.append(message)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Silent(description: "/unsubscribe")
  }
}
