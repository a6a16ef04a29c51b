import BacklineTestSupport
import Foundation

@testable import RackControl
@testable import RackEngine

/// A peer of a control socket that may do as it likes.
package final class ControlPeerProbe {
  package let descriptor: Int32
  private var input: [UInt8] = []
  /// Lines that came before an answer.
  package private(set) var events: [[String: Any]] = []

  package init(_ path: String) throws {
    descriptor = try ControlSocket.connect(to: path)
  }

  deinit { close(descriptor) }

  /// Sends bytes as far as they are taken at once; answers how many.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Int {
    Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  package func send(_ line: String) { send(Array(line.utf8) + [10]) }

  /// Neither sends nor reads any more.
  package func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends no more, but reads on.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  package struct Silent: Error {}

  /// The next line; nil once the other end has closed.
  package func line() async throws -> String? {
    var block = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<4000 {
      if let end = input.firstIndex(of: 10) {
        defer { input.removeFirst(end + 1) }
        return String(decoding: input[..<end], as: UTF8.self)
      }
      let count = recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        input += block[..<count]
      } else if count == 0 || errno == ECONNRESET {
        return nil
      } else {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    throw Silent()
  }

  /// The next line that has such a member, as an object.
  package func object(with key: String) async throws -> [String: Any] {
    while let line = try await line() {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if let object, object[key] != nil { return object }
      if let object { events.append(object) }
    }
    throw Silent()
  }

  package func ask(_ line: String) async throws -> [String: Any] {
    send(line)
    return try await object(with: "id")
  }
}
