import FoundationEssentials
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

  private let process: pid_t
  /// To the child's standard input and output. It closes when this process is gone, whereupon the child
  /// goes too.
  private let link: Int32
  /// A file without a name for the child's standard error.
  private let errors: UnsafeMutablePointer<FILE>

  /// Why no process could be started.
  struct NotStarted: Error, CustomStringConvertible {
    var description: String
  }

  init(_ program: URL, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw NotStarted(description: "no socket to a child: \(String(cString: strerror(errno)))")
    }
    link = ends[0]
    defer { close(ends[1]) }
    guard let errors = tmpfile() else {
      close(ends[0])
      throw NotStarted(description: "no temporary file: \(String(cString: strerror(errno)))")
    }
    self.errors = errors
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for place in [STDIN_FILENO, STDOUT_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, ends[1], place)
    }
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
    // Swift's threads block signals, which a child would inherit.
    var (attributes, none) = (posix_spawnattr_t(), sigset_t())
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // A crash is reported in one line; the backtrace's would be another.
    var environment = [strdup("SWIFT_BACKTRACE=enable=no")]
    var entry = environ
    while let variable = entry.pointee {
      if strncmp(variable, "SWIFT_BACKTRACE=", 16) != 0 { environment.append(strdup(variable)) }
      entry += 1
    }
    environment.append(nil)
    var words = ([program.path] + arguments).map { strdup($0) } + [nil]
    defer { for text in words + environment { free(text) } }
    var process = pid_t()
    let problem = posix_spawn(&process, program.path, &actions, &attributes, &words, &environment)
    guard problem == 0 else {
      close(link)
      fclose(errors)
      throw NotStarted(
        description: "\(program.path) cannot be started: \(String(cString: strerror(problem)))")
    }
    self.process = process
  }

  deinit {
    close(link)
    fclose(errors)
  }

  /// Passes on each message until the child has ended. If none comes for `timeout` seconds, the child
  /// and all processes that it started are killed.
  func listen(timeout: Double, _ receive: (ChildMessage) -> Void) -> End {
    var pending = Data()
    var deadline = ContinuousClock.now + .seconds(timeout)
    var isKilled = false
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = (deadline - ContinuousClock.now).components
      let milliseconds = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
      var poller = pollfd(fd: link, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, Int32(clamping: milliseconds))
      if ready < 0 && errno == EINTR { continue }
      if ready <= 0 {
        isKilled = true
        break
      }
      let count = read(link, &block, block.count)
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
    kill(-process, SIGKILL)
    if isKilled { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    if isKilled { return .silence }
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// The last line that it wrote to standard error.
  var lastError: String? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = pread(fileno(errors), &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(whereSeparator: \.isNewline).last.map { String($0.prefix(200)) }
  }
}
