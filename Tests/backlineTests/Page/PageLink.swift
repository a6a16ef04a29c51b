import BacklineTestSupport
import Foundation

/// The link that a program prints to its page, and a client for tests without a browser.
struct PageLink {
  struct None: Error {}

  let url: String
  let port: Int
  let key: String

  init(_ output: String) throws {
    guard let found = output.firstMatch(of: /https?:\/\/127\.0\.0\.1:(\d+)\/#k=(\w+)/),
      let port = Int(found.1)
    else { throw None() }
    (url, key) = (String(found.0), String(found.2))
    self.port = port
  }

  /// Returns the server's answer to these bytes, until the server closes or pauses.
  func send(_ request: String) throws -> String { try converse(request, frames: []) }

  /// Sends a request, waits for its answer, sends frames, and returns all received text.
  ///
  /// - Parameter end: a text that ends the conversation.
  func converse(_ request: String, frames: [[UInt8]], until end: String? = nil) throws -> String {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw None() }
    let request = request.hasSuffix("\r\n\r\n") ? request : request + "\r\n"
    Foundation.send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    var text = receive(socket, until: "\r\n\r\n")
    for (place, frame) in frames.enumerated() {
      Foundation.send(socket, frame, frame.count, Int32(MSG_NOSIGNAL))
      let isLast = place == frames.count - 1
      // A page that is known gets the rack's greeting.
      text += receive(socket, until: isLast ? end : "version")
    }
    return text
  }

  /// Returns the devices file of the tests, with one device of this role.
  static func devices(_ role: String) -> String {
    #"[{"id":"1","name":"Test","token":"\#(token)","role":"\#(role)","since":0}]"#
  }

  private static let token = "0123456789abcdef0123456789abcdef"

  /// Sends a request as the device of the tests.
  func ask(_ request: String) throws -> String {
    try send([Self.text("1.5! \(request)")], until: #""id":1"#)
  }

  /// Sends frames as the device of the tests.
  func send(_ frames: [[UInt8]], until end: String) throws -> String {
    let upgrade =
      "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
      + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:\(port)\r\n"
    let hello = Self.text(#"{"token":"\#(Self.token)"}"#)
    return try converse(upgrade, frames: [hello, Array(frames.joined())], until: end)
  }

  private func receive(_ socket: Int32, until end: String?) -> String {
    var text = ""
    var block = [UInt8](repeating: 0, count: 65_536)
    var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&look, 1, end == nil ? 500 : 5000) > 0 {
      let count = recv(socket, &block, block.count, 0)
      guard count > 0 else { break }
      text += String(decoding: block[..<count], as: UTF8.self)
      if let end, text.contains(end) { break }
    }
    return text
  }

  /// Returns a WebSocket frame with a text, masked as a client must.
  static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let length: [UInt8] =
      bytes.count < 126
      ? [0x80 | UInt8(bytes.count)]
      : [0xFE, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    return [0x81] + length + [0, 0, 0, 0] + bytes
  }
}

extension LivePrograms.Rig {
  /// Returns a second link from `backline page`, whose process ends with the rack.
  func anotherLink() async throws -> String {
    let page = try Program(["page", "--rack", "Page"])
    pages.append(page)
    try await page.waitForOutput("http://")
    return try PageLink(page.output).url
  }

  /// Kills the process that serves the page.
  func killPage() throws {
    let threads = "/proc/\(program.processIdentifier)/task"
    let children = try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
      let text = try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
    for child in children {
      let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
      if name?.hasPrefix("backline-page") == true { kill(child, SIGKILL) }
    }
  }
}
