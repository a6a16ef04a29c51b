import BacklineTestSupport
import Foundation
import Synchronization

/// The program that was built with the tests, run as its users run it.
final class Program: Sendable {
  static let url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("backline")

  /// The folder of the shipped racks.
  static let racks = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("racks")

  /// The folder of control sockets, separate from those of other racks on this machine.
  static let runtimeFolder = {
    let path = NSTemporaryDirectory() + "/backline-tests"
    mkdir(path, 0o700)
    return path
  }()

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the program to its end.
  static func run(_ arguments: String...) throws -> Result {
    try Program(arguments).result()
  }

  private let process: Process
  private let collected = Mutex((output: Data(), errors: Data()))
  private let readers = DispatchGroup()

  /// Starts the program. `wrapper`: a command that runs the program.
  convenience init(_ arguments: [String], wrapper: [String] = []) throws {
    try self.init(command: wrapper + [Self.url.path] + arguments)
  }

  /// Starts another program, which may run this one.
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

  /// The identifier of the process that was started; a wrapper that uses exec keeps it.
  var processIdentifier: Int { Int(process.processIdentifier) }
  var isRunning: Bool { process.isRunning }

  /// The program's output so far.
  var output: String { collected.withLock { String(decoding: $0.output, as: UTF8.self) } }
  var errors: String { collected.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// Sends a signal to the program; does nothing after its end.
  func send(_ signal: Int32) {
    if isRunning { kill(process.processIdentifier, signal) }
  }

  /// Waits for the end of the program and of its output; returns the exit code, or -1 after a signal.
  func waitForEnd() -> Int32 {
    process.waitForEnd(within: 1200)
    // A program that it started may keep the pipes open.
    _ = readers.wait(timeout: .now() + 10)
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Waits for the program's end; returns its exit code, output and errors.
  func result() -> Result {
    let status = waitForEnd()
    return Result(status: status, output: output, errors: errors)
  }

  struct NotPrinted: Error, CustomStringConvertible { var description: String }

  /// Waits until the program has printed `text` this many times; throws `NotPrinted` if it ends before, or
  /// after two minutes.
  func waitForOutput(_ text: String, times: Int = 1) async throws {
    try await wait(for: text, times) { output }
  }

  /// Waits until the program has printed `text` to standard error, like `waitForOutput`.
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
