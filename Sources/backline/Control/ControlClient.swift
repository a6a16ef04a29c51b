import FoundationEssentials
import Glibc
import RackControl
import RackEngine
import RackModel

/// One end of a running rack's control socket, for a program that waits for each answer.
final class ControlClient {
  private let descriptor: Int32
  private var input: [UInt8] = []

  /// Connects to the rack that plays as this JACK client, and has it say that it is there.
  ///
  /// `patience`: seconds that an answer may take; nil for ever.
  init(rack: String, patience: Int? = 30) throws {
    let soon = min(patience ?? .max, ControlSocket.patience)
    descriptor = try ControlSocket.connect(to: ControlSocket.path(for: rack), within: soon)
    wait(atMost: soon)
    guard let greeting = try nextLine() else { throw Self.ended }
    if let error = try? JSONDecoder().decode(Reply<Done>.self, from: greeting).error {
      throw Refusal(error)
    }
    wait(atMost: patience)
  }

  deinit { close(descriptor) }

  /// How long answers and events are waited for from now on; nil for ever. Seconds
  func wait(atMost patience: Int?) {
    var time = timeval(tv_sec: patience ?? 0, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private struct Reply<Result: Decodable>: Decodable {
    var result: Result?
    var error: String?
  }

  private struct Done: Decodable { var done: String }

  /// Has a command carried out; answers what was done.
  func perform(_ command: Command) throws -> String {
    try send(command)
    return try answer(Done.self).done
  }

  /// Asks for something that is no command; `words` besides the first are arguments.
  func ask<Result: Decodable>(
    _ word: String, _ arguments: [String: String] = [:], for kind: Result.Type
  ) throws -> Result {
    try send(arguments.merging(["command": word]) { $1 })
    return try answer(kind)
  }

  /// Has something done that is no command; answers what was done.
  func request(_ word: String, _ arguments: [String: String] = [:]) throws -> String {
    try ask(word, arguments, for: Done.self).done
  }

  /// Has the rack tell of changes, and of its meters so many times a second.
  func subscribe(meters rate: Double? = nil) throws {
    _ = try ask("subscribe", rate.map { ["meters": "\($0)"] } ?? [:], for: Done.self)
    wait(atMost: nil)
  }

  /// The next that it tells; nil once it has ended.
  func nextEvent() throws -> ControlEvent? {
    while let line = try nextLine() {
      if let event = try? JSONDecoder().decode(ControlEvent.self, from: line) { return event }
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
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        defer { input.removeFirst(end + 1) }
        return Data(input[..<end])
      }
      let count = recv(descriptor, &block, block.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { throw Self.silent }
      guard count > 0 else { return nil }
      input += block[..<count]
    }
  }
}
