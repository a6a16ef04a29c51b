import CIO
import CJack
import Foundation

/// Lets one JACK server run at a time, in whichever process: all servers of a user share one
/// metadata database, and one that stops wipes the others' entries.
package final class JackTestLock {
  private let descriptor: Int32

  package init() {
    let path = "/tmp/backline-jack-tests.lock"
    descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    precondition(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0, "cannot lock \(path)")
  }

  deinit { close(descriptor) }
}

/// A jackd of the test's own with the dummy driver: 48 kHz, two system ports each way.
///
/// It is synchronous and patient, so that a busy machine delays cycles and does not spoil them, unless
/// it is to be as on stage.
package final class JackTestServer {
  /// Always the same two: JACK has room for eight names, and takes back that of a server which was
  /// killed only for another of its name.
  package let name: String
  private var process: Process
  private var deathGuard: DeathGuard
  /// Milliseconds that a cycle may take; nil where it is as on stage.
  private let timeout: Int?
  package static let defaultTimeout = 5000
  private let lock: JackTestLock

  package struct NotStarted: Error {}

  package convenience init(
    period: Int = 64, rate: Int = 48_000, timeout: Int? = defaultTimeout
  ) throws {
    try self.init(
      "backline-test", period: period, rate: rate, timeout: timeout, lock: JackTestLock())
  }

  /// A second one, for what is to be compared, that runs at the same time and ends first.
  package convenience init(beside other: JackTestServer, period: Int, timeout: Int?) throws {
    try self.init("backline-idle", period: period, timeout: timeout, lock: other.lock)
  }

  private init(
    _ name: String, period: Int, rate: Int = 48_000, timeout: Int?, lock: JackTestLock
  ) throws {
    (self.name, self.timeout, self.lock) = (name, timeout, lock)
    process = try Self.start(name, period, timeout, rate: rate)
    do {
      deathGuard = try DeathGuard(of: process, name: name)
    } catch {
      process.terminate()
      throw error
    }
    guard Self.isThere(name) else {
      stop()
      throw NotStarted()
    }
  }

  /// Waits until the server takes clients; jack_wait looks once a second only.
  private static func isThere(_ name: String) -> Bool {
    var error: UnsafePointer<CChar>?
    guard let library = bl_jack_load_client(&error) else { return false }
    bl_jack_message_collect(
      library.pointee.jack_set_error_function, library.pointee.jack_set_info_function)
    for _ in 0..<1000 {
      var status = jack_status_t(0)
      if let client = bl_jack_open(library, "waiting", name, &status) {
        _ = library.pointee.jack_client_close(client)
        return true
      }
      usleep(20_000)
    }
    return false
  }

  /// In the metadata database, which all servers of a user share, a client that was killed can have
  /// left its lock, at which the next server would wait for ever: one that nobody uses goes.
  private static func clearAwayMetadata() {
    let folder = "/dev/shm/jack_db-\(getuid())"
    if !ProcessTable.maps(folder: folder) { try? FileManager.default.removeItem(atPath: folder) }
  }

  private static func start(
    _ name: String, _ period: Int, _ timeout: Int?, rate: Int = 48_000
  ) throws -> Process {
    clearAwayMetadata()
    let process = Process()
    let realtime = bl_realtime_is_permitted(70) ? ["-R", "-P", "70"] : ["-r"]
    process.executableURL = URL(fileURLWithPath: "/usr/bin/jackd")
    process.arguments =
      ["-n", name] + (timeout.map { ["-S", "-t", "\($0)"] } ?? []) + realtime
      + ["-d", "dummy", "-r", "\(rate)", "-p", "\(period)", "-C", "2", "-P", "2"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  deinit { stop() }

  /// Runs one of JACK's own tools at this server; answers what it prints.
  @discardableResult
  package func run(_ tool: String, _ arguments: String...) -> String {
    Self.run([tool] + arguments, server: name)
  }

  package static func run(_ command: [String], server: String) -> String {
    let tool = Process()
    let pipe = Pipe()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments = command
    tool.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1"]) { $1 }
    tool.standardOutput = pipe
    tool.standardError = FileHandle.nullDevice
    do { try tool.run() } catch { return "" }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    tool.waitForEnd()
    return String(decoding: output, as: UTF8.self)
  }

  /// Ends the server as its owner would.
  package func stop() {
    resume()
    if process.isRunning { process.terminate() }
    process.waitForEnd(within: 20)
    deathGuard.dismiss()
  }

  /// Lets the server stand still, as one does whose sound card hangs; until `resume`.
  package func pause() { send(SIGSTOP) }

  package func resume() { send(SIGCONT) }

  private func send(_ signal: Int32) {
    if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
  }

  /// Ends the server without a word to its clients.
  package func kill() {
    send(SIGKILL)
    process.waitUntilExit()
    deathGuard.dismiss()
  }

  /// Starts another of the same name once it has ended; no client of this process may be open that was
  /// at the former.
  package func startAgain(period: Int, rate: Int = 48_000) throws {
    process = try Self.start(name, period, timeout, rate: rate)
    deathGuard = try DeathGuard(of: process, name: name)
    guard Self.isThere(name) else {
      stop()
      throw NotStarted()
    }
  }

  /// Has a new server of the name clear away what a killed one left in shared memory; its clients
  /// must be closed.
  package func clearAwayRemains() throws {
    let successor = try Self.start(name, 1024, Self.defaultTimeout)
    let deathGuard = try? DeathGuard(of: successor, name: name)
    _ = Self.isThere(name)
    successor.terminate()
    successor.waitForEnd(within: 20)
    deathGuard?.dismiss()
  }
}
