import BacklineTestSupport
import Foundation
import Synchronization

/// The program as built beside the tests, run as its users run it.
final class Program: Sendable {
  static let url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("backline")

  /// Where the racks that ship are.
  static let racks = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("racks")

  /// Where control sockets lie, apart from those of racks that somebody plays on this machine.
  static let runtimeFolder = {
    let path = NSTemporaryDirectory() + "/backline-tests-\(getuid())"
    mkdir(path, 0o700)
    return path
  }()

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs it to its end.
  static func run(_ arguments: String...) throws -> Result {
    try Program(arguments).result()
  }

  private let process: Process
  private let collected = Mutex((output: Data(), errors: Data()))
  private let readers = DispatchGroup()

  /// `wrapper` is a command that runs the program in its turn.
  convenience init(_ arguments: [String], wrapper: [String] = []) throws {
    try self.init(command: wrapper + [Self.url.path] + arguments)
  }

  /// A command of another program, which may run this one.
  init(command: [String]) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_RUNTIME_DIR": Self.runtimeFolder]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let pipes = (output: Pipe(), errors: Pipe())
    process.standardOutput = pipes.output
    process.standardError = pipes.errors
    try process.run()
    collect(pipes.output) { $0.output += $1 }
    collect(pipes.errors) { $0.errors += $1 }
  }

  private func collect(
    _ pipe: Pipe, _ append: @escaping @Sendable (inout (output: Data, errors: Data), Data) -> Void
  ) {
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
    DispatchQueue.global().async(group: readers) { [self] in
      var block = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &block, block.count)
        guard count > 0 else { break }
        collected.withLock { [block] in append(&$0, Data(block[..<count])) }
      }
      close(descriptor)
    }
  }

  /// Of the process that it is: what wraps it is gone when it runs.
  var processIdentifier: Int { Int(process.processIdentifier) }
  var isRunning: Bool { process.isRunning }

  /// What it has printed so far.
  var output: String { collected.withLock { String(decoding: $0.output, as: UTF8.self) } }
  var errors: String { collected.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// Does nothing once it has ended.
  func send(_ signal: Int32) {
    if isRunning { kill(process.processIdentifier, signal) }
  }

  /// Its exit code, once it has ended and all that it printed is here.
  func waitForEnd() -> Int32 {
    process.waitForEnd(within: 1200)
    // A program that it started may keep them open.
    _ = readers.wait(timeout: .now() + 10)
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Of all that it did, once it has ended.
  func result() -> Result {
    let status = waitForEnd()
    return Result(status: status, output: output, errors: errors)
  }

  struct NotPrinted: Error, CustomStringConvertible { var description: String }

  /// Waits until it has printed `text` so many times; gives up when it ends without.
  func waitForOutput(_ text: String, times: Int = 1) async throws {
    try await wait(for: text, times) { output }
  }

  /// The same on standard error.
  func waitForErrors(_ text: String) async throws {
    try await wait(for: text, 1) { errors }
  }

  private func wait(
    for text: String, _ times: Int, in printed: () -> String
  ) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while printed().components(separatedBy: text).count <= times {
      guard isRunning, .now < end else {
        throw NotPrinted(description: "“\(text)” in “\(output)”; errors: “\(errors)”")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
