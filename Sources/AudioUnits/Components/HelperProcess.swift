import CLinux
import Glibc

/// A helper program running for this one, and the lines that it writes to standard output.
package final class HelperProcess {
  package enum End {
    case exit(Int32)
    case signal(Int32)
    /// The program wrote nothing for too long, and was killed.
    case timeout
    /// The program wrote a line of more than 16 MiB, and was killed.
    case tooLongLine
  }

  package struct NotStarted: Error, CustomStringConvertible {
    package var description: String
  }

  private let process: pid_t
  /// The parent's end of the child's standard input and output. It closes when this process ends,
  /// which the child notices.
  private let link: Int32
  /// An unnamed file for the child's standard error.
  private let errors: UnsafeMutablePointer<FILE>

  package init(_ program: String, _ arguments: [String]) throws(NotStarted) {
    func failure(_ problem: Int32) -> NotStarted {
      NotStarted(
        description: "\(program) cannot be started: \(String(cString: strerror(problem)))")
    }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure(errno) }
    defer { close(ends[1]) }
    guard let errors = tmpfile() else {
      close(ends[0])
      throw failure(errno)
    }
    // A backtrace needs another process, which a confined process may not start.
    let setting = "SWIFT_BACKTRACE="
    var environment = ["\(setting)enable=no"]
    var entry = environ
    while let variable = entry.pointee {
      if strncmp(variable, setting, setting.utf8.count) != 0 {
        environment.append(String(cString: variable))
      }
      entry += 1
    }
    let process = ([program] + arguments).withCStrings { words in
      environment.withCStrings { bl_spawn(words, $0, [ends[1], ends[1], fileno(errors)]) }
    }
    guard process > 0 else {
      let problem = errno
      close(ends[0])
      fclose(errors)
      throw failure(problem)
    }
    (self.process, self.errors, link) = (process, errors, ends[0])
  }

  deinit {
    close(link)
    fclose(errors)
  }

  /// Passes each line to `receive` until the child has ended; `receive` returns the seconds that the
  /// next line may take, or nil to keep the running timeout. At the end the child is killed with all
  /// processes that it started.
  ///
  /// - Parameter timeout: the seconds that the first line may take.
  package func readLines(
    timeout: Double, _ receive: (ArraySlice<UInt8>) -> Double?
  ) -> End {
    var pending: [UInt8] = []
    var deadline = ContinuousClock.now + .seconds(timeout)
    var end: End?
    var block = [UInt8](repeating: 0, count: 65_536)
    while end == nil {
      let left = max(0, (deadline - .now) / .milliseconds(1))
      var poller = pollfd(fd: link, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, Int32(min(left.rounded(.up), Double(Int32.max))))
      if ready < 0 && errno == EINTR { continue }
      if ready <= 0 {
        end = .timeout
        break
      }
      let count = read(link, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      pending += block[..<count]
      while let newline = pending.firstIndex(of: 0x0A) {
        if let next = receive(pending[..<newline]) { deadline = .now + .seconds(next) }
        pending.removeSubrange(...newline)
      }
      if pending.count > 1 << 24 { end = .tooLongLine }
    }
    // A child that ends by itself has its status already, but processes that it started may outlive
    // it.
    for victim in [-process, process] { kill(victim, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return end ?? (status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F))
  }

  /// The lines that the program wrote to standard error.
  package var errorLines: [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = pread(fileno(errors), &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { String($0.prefix(200)) }
  }
}
