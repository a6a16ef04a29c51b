import Foundation
import Glibc

/// A process that runs checks, and its messages.
final class ChildProcess {
  /// How it ended.
  enum End {
    case exit(Int32)
    case signal(Int32)
    /// It sent nothing for too long, and was killed.
    case silence
  }

  private let process = Process()
  private let output = Pipe()
  /// Closed when this process ends, upon which the child ends too.
  private let lifeline = Pipe()
  private let errors: URL

  init(_ program: URL, _ arguments: [String]) throws {
    errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("backline-\(UUID().uuidString).log")
    try Data().write(to: errors)
    process.executableURL = program
    process.arguments = arguments
    // Reports quote the last line of standard error, which a backtrace would replace.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]
    ) { _, new in new }
    process.standardInput = lifeline
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    try? output.fileHandleForWriting.close()
  }

  deinit { try? FileManager.default.removeItem(at: errors) }

  /// Passes on each message until the child has ended. If none comes for `timeout` seconds, the child
  /// and all processes that it started are killed.
  func listen(timeout: Double, _ receive: (ChildMessage) -> Void) -> End {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var pending = Data()
    var deadline = ContinuousClock.now + .seconds(timeout)
    var isKilled = false
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = (deadline - ContinuousClock.now).components
      let milliseconds = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, Int32(clamping: milliseconds))
      if ready < 0 && errno == EINTR { continue }
      if ready <= 0 {
        isKilled = true
        break
      }
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      pending += block[..<count]
      while let end = pending.firstIndex(of: 0x0A) {
        if let message = ChildMessage(line: pending[..<end]) {
          switch message {
          case .note, .refusal: break
          default: deadline = .now + .seconds(timeout)
          }
          receive(message)
        }
        pending = Data(pending[(end + 1)...])
      }
    }
    // The group first: processes that the unit started may outlive it.
    kill(-process.processIdentifier, SIGKILL)
    if isKilled { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    if isKilled { return .silence }
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// The last line that it wrote to standard error.
  var lastError: String? {
    guard let text = try? String(contentsOf: errors, encoding: .utf8) else { return nil }
    return text.split(whereSeparator: \.isNewline).last.map { String($0.prefix(200)) }
  }
}
