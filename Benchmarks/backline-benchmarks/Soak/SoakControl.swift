import Foundation
import RackControl
import RackEngine
import RackModel

/// A client of a running rack's control socket, which waits for each answer.
final class SoakControl {
  private let file: FileHandle
  private var input = Data()

  struct Ended: Error {}

  init(rack: String) throws {
    file = FileHandle(
      fileDescriptor: try ControlSocket.connect(to: ControlSocket.path(for: rack)),
      closeOnDealloc: true)
    // The first line is the server's greeting.
    _ = try nextLine()
  }

  /// Sends a command; returns false if it is refused.
  func performs(_ command: [String: String]) throws -> Bool {
    try send(command)
    return try nextLine().starts(with: Data("{\"result\"".utf8))
  }

  /// Returns the rack's list without its revision: equal for equal racks.
  func state() throws -> String {
    String(decoding: try ask("list"), as: UTF8.self)
      .replacing(/"revision":[0-9]+,?/, with: "")
  }

  /// Returns the answer to a question as received.
  func ask(_ word: String) throws -> Data {
    try send(["command": word])
    return try nextLine()
  }

  private func send(_ request: some Encodable) throws {
    try file.write(contentsOf: try JSONEncoder().encode(request) + Data("\n".utf8))
  }

  private func nextLine() throws -> Data {
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        defer { input = Data(input[(end + 1)...]) }
        return Data(input[..<end])
      }
      let block = file.availableData
      guard !block.isEmpty else { throw Ended() }
      input += block
    }
  }
}
