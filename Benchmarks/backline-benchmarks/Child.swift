import Documents
import Glibc

/// A program that runs beside the benchmarks.
struct Child {
  let process: pid_t

  struct NotStarted: Error, CustomStringConvertible {
    var program: String
    var description: String { "\(program) cannot be started" }
  }

  struct Failed: Error, CustomStringConvertible {
    var command: [String]
    var description: String { "failed: \(command.joined(separator: " "))" }
  }

  /// Starts a program, found along the path; its output goes to a file, or is discarded.
  static func start(
    _ command: [String], environment: [String: String] = [:], output: String = "/dev/null"
  ) throws -> Child {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    var variables: [String] = environment.map { "\($0)=\($1)" }
    var entry = environ
    while let text = entry.pointee {
      variables.append(String(cString: text))
      entry += 1
    }
    var arguments = command.map { strdup($0) } + [nil]
    var all = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + all { free(text) } }
    // The threads of Swift's executors block signals, and a child would inherit the mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t(0)
    guard posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &all) == 0 else {
      throw NotStarted(program: command[0])
    }
    return Child(process: process)
  }

  /// The end of a program.
  struct End {
    /// The program's processor time without its children's, seconds.
    var processorTime: Double
    var status: Int32
  }

  /// Waits for the program's end.
  @discardableResult
  func wait() -> End {
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    return End(
      processorTime: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
      status: status)
  }

  /// Sends SIGTERM and waits for the program's end.
  func end() {
    kill(process, SIGTERM)
    wait()
  }

  /// Sends SIGINT, and SIGKILL if the program still runs after two seconds.
  func interrupt() {
    kill(process, SIGINT)
    for _ in 0..<200 {
      if waitpid(process, nil, WNOHANG) != 0 { return }
      usleep(10_000)
    }
    kill(process, SIGKILL)
    wait()
  }

  /// Runs a program to its end; returns its processor time, seconds.
  @discardableResult
  static func run(_ command: [String]) throws -> Double {
    let result = try start(command).wait()
    guard result.status == 0 else { throw Failed(command: command) }
    return result.processorTime
  }

  static func exists(_ program: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(program)"])) != nil
  }

  /// The program's processor time so far, seconds.
  var processorTime: Double {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { return .nan }
    return Measurement.now(clock)
  }

  /// The memory that no other process shares (Private_Clean + Private_Dirty), MiB; nil once the program has
  /// ended.
  var privateMemory: Double? {
    let text = Self.text(ofFileAt: "/proc/\(process)/smaps_rollup")
    var kibibytes = 0.0
    for line in text.split(separator: "\n") where line.hasPrefix("Private_") {
      kibibytes += line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    }
    return kibibytes > 0 ? kibibytes / 1024 : nil
  }

  /// The number of mapped shared libraries.
  var sharedLibraryCount: Double {
    let paths = Self.text(ofFileAt: "/proc/\(process)/maps").split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(5).first
    }
    return Double(Set(paths.filter { $0.contains(".so") }).count)
  }

  /// The processor time so far of all threads without real-time priority, nanoseconds.
  var controlSideTime: Double {
    let folder = "/proc/\(process)/task"
    return Folder.names(in: folder).compactMap { Int32($0) }.reduce(0) { sum, thread in
      guard sched_getscheduler(thread) == SCHED_OTHER else { return sum }
      let text = Self.text(ofFileAt: "\(folder)/\(thread)/schedstat")
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0)
    }
  }

  /// Returns the path of the program with this name beside the benchmarks' own.
  static func sibling(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = max(0, readlink("/proc/self/exe", &path, path.count - 1))
    let own = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + own.split(separator: "/").dropLast().joined(separator: "/") + "/\(name)"
  }

  /// Returns the text of a file; empty where the process has ended.
  private static func text(ofFileAt path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 1 << 18)
    let length = fread(&text, 1, text.count, file)
    return String(decoding: text[..<length], as: UTF8.self)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
  }
}
