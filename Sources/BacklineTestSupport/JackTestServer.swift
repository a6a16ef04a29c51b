import CIO
import CJack
import Foundation

/// A lock that lets one test at a time run a JACK server, in all processes: all servers of a user
/// share one metadata database, and a server that stops deletes the others' entries.
package final class JackTestLock {
  private let descriptor: Int32

  package init() {
    let path = "/tmp/backline-jack-tests.lock"
    descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    precondition(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0, "cannot lock \(path)")
  }

  deinit { close(descriptor) }
}

/// A private jackd with the dummy driver: 48 kHz, two system ports each way.
///
/// With a timeout it is synchronous, so that a busy machine delays cycles instead of skipping them;
/// without one it runs as on stage.
package final class JackTestServer {
  /// The server's name, one of two: JACK has room for eight names, and reclaims a killed server's
  /// name only for another server of that name.
  package let name: String
  private var process: Process
  private var deathGuard: DeathGuard
  /// The time that a cycle may take, milliseconds; nil for a server as on stage.
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

  /// Starts a second server, for comparisons, which must end before `other`.
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

  /// Waits until the server accepts clients, 20 s at most; jack_wait polls only once a second.
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

  /// Deletes the metadata database unless a process uses it. A killed client may have left a lock
  /// in it, for which the next server would wait forever.
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

  /// Runs one of JACK's command line tools with this server; returns its output.
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

  /// Terminates the server with SIGTERM and waits for its end.
  package func stop() {
    resume()
    if process.isRunning { process.terminate() }
    process.waitForEnd(within: 20)
    deathGuard.dismiss()
  }

  /// Stops the server until `resume`, as if its sound card hung.
  package func pause() { send(SIGSTOP) }

  package func resume() { send(SIGCONT) }

  private func send(_ signal: Int32) {
    if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
  }

  /// Kills the server, which cannot notify its clients.
  package func kill() {
    send(SIGKILL)
    process.waitUntilExit()
    deathGuard.dismiss()
  }

  /// Starts another server of the same name after this one has ended; this process must have closed
  /// all clients of the former.
  package func startAgain(period: Int, rate: Int = 48_000) throws {
    process = try Self.start(name, period, timeout, rate: rate)
    deathGuard = try DeathGuard(of: process, name: name)
    guard Self.isThere(name) else {
      stop()
      throw NotStarted()
    }
  }

  /// Starts and ends a server of the same name, which removes the shared memory of a killed one;
  /// the clients of the killed server must be closed.
  package func clearAwayRemains() throws {
    let successor = try Self.start(name, 1024, Self.defaultTimeout)
    let deathGuard = try? DeathGuard(of: successor, name: name)
    _ = Self.isThere(name)
    successor.terminate()
    successor.waitForEnd(within: 20)
    deathGuard?.dismiss()
  }
}
