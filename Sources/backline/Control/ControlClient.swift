import AsyncSupport
import Documents
import FoundationEssentials
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession

/// A blocking client of a rack's control socket.
final class ControlClient {
  private let descriptor: Int32
  private var input = LineBuffer()

  /// Connects to the rack that plays as this JACK client, and waits for its greeting.
  ///
  /// - Parameter timeout: the timeout for an answer, in seconds; nil for no limit.
  init(rack: String, timeout: Int? = 30) throws {
    let soon = min(timeout ?? .max, ControlSocket.timeout)
    descriptor = try ControlSocket.connect(to: ControlSocket.path(for: rack), within: soon)
    wait(atMost: soon)
    guard let greeting = try nextLine() else { throw Self.ended }
    if let error = try? JSONDecoder().decode(Reply<Done>.self, from: greeting).error {
      throw Refusal(error)
    }
    wait(atMost: timeout)
  }

  deinit { close(descriptor) }

  /// Sets the timeout for answers and events, in seconds; nil for no limit.
  func wait(atMost timeout: Int?) {
    var time = timeval(tv_sec: timeout ?? 0, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private struct Reply<Result: Decodable>: Decodable {
    var result: Result?
    var error: String?
  }

  private struct Done: Decodable { var done: String }

  /// Sends a request and returns its result.
  func ask<Result: Decodable>(
    _ word: String, _ arguments: [String: String] = [:], for kind: Result.Type
  ) throws -> Result {
    try send(arguments.merging(["command": word]) { $1 })
    return try answer(kind)
  }

  /// Sends a command and returns its description.
  func request(_ word: String, _ arguments: [String: String] = [:]) throws -> String {
    try ask(word, arguments, for: Done.self).done
  }

  /// Subscribes to events.
  ///
  /// - Parameters:
  ///   - rate: the rate of meters, in Hz; nil for no meters.
  ///   - midi: whether to receive MIDI messages too.
  func subscribe(meters rate: Double? = nil, midi: Bool = false) throws {
    var arguments = rate.map { ["meters": "\($0)"] } ?? [:]
    if midi { arguments["midi"] = "true" }
    _ = try ask("subscribe", arguments, for: Done.self)
    wait(atMost: nil)
  }

  /// Waits for the next event and returns it; nil if the rack has ended.
  func nextEvent() throws -> (any RackEvent)? {
    while let line = try nextLine() {
      if let line = try? JSONDecoder().decode(RackEvents.Line.self, from: line) {
        return line.event
      }
    }
    return nil
  }

  private func answer<Result: Decodable>(_ kind: Result.Type) throws -> Result {
    while let line = try nextLine() {
      let reply = try JSONDecoder().decode(Reply<Result>.self, from: line)
      if let error = reply.error { throw Refusal(error) }
      if let result = reply.result { return result }
      // An event.
    }
    throw Self.ended
  }

  private static let ended = Refusal("the rack has ended")
  private static let silent = Refusal("the rack does not answer; is it suspended?")

  private func send(_ request: some Encodable) throws {
    var bytes = Array(try JSONEncoder().encode(request))[...]
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw errno == EAGAIN ? Self.silent : Self.ended }
      bytes = bytes.dropFirst(count)
    }
  }

  private func nextLine() throws -> Data? {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = input.pop() { return Data(line) }
      let count = recv(descriptor, &block, block.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { throw Self.silent }
      guard count > 0 else { return nil }
      input.append(block[..<count])
    }
  }
}
