import AsyncSupport
import CConfinement
import CSystem
import Documents
import FoundationEssentials
import Glibc
import UnitModel

/// Reads libraries in child processes, so that a library cannot harm this one.
struct LibraryInspector {
  /// The `backline` program, which runs `LibraryInspection`.
  var program: String

  /// What one library may take to load.
  static let patience: Int32 = 5000
  /// What the child may take to start, on a machine that has other things to do.
  private static let startPatience: Int32 = 60_000
  /// Libraries a child; the sizes of an argument list have ends.
  private static let mostPaths = 256
  private static let mostBytes = 1 << 24

  /// The units of each library, or its fault; in the order of `paths`.
  func units(of paths: [String]) -> [Result<[UnitFacts], BundleFault>] {
    var answers: [Result<[UnitFacts], BundleFault>] = []
    while answers.count < paths.count {
      let rest = paths[answers.count...].prefix(Self.mostPaths)
      let (found, end) = read(Array(rest))
      answers += found
      guard found.count < rest.count else { continue }
      let culprit = paths[answers.count]
      // An earlier library may have broken the process: read this one again alone.
      let (alone, lonelyEnd) = found.isEmpty ? ([], end) : read([culprit])
      answers.append(
        alone.first
          ?? .failure(
            BundleFault("\(culprit): \(lonelyEnd.reason)", isTransient: lonelyEnd.isTransient)))
    }
    return answers
  }

  /// Why the answers ended.
  private struct End {
    var reason: String
    /// Whether another attempt may succeed.
    var isTransient = false
  }

  private func read(
    _ paths: [String]
  ) -> (answers: [Result<[UnitFacts], BundleFault>], end: End) {
    var ends: [Int32] = [0, 0]
    guard bl_pipe(&ends) == 0 else {
      return ([], End(reason: String(cString: strerror(errno)), isTransient: true))
    }
    defer { close(ends[0]) }
    let child = start(paths, output: ends[1])
    close(ends[1])
    guard let child else {
      return ([], End(reason: "\(program) cannot be started to read it", isTransient: true))
    }
    var answers: [Result<[UnitFacts], BundleFault>] = []
    var bytes: [UInt8] = []
    var end: End?
    var refusal: String?
    var hasStarted = false
    var block = [UInt8](repeating: 0, count: 65_536)
    while answers.count < paths.count, end == nil {
      var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, hasStarted ? Self.patience : Self.startPatience)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        end = End(
          reason: "loading it takes longer than \(Self.patience / 1000) seconds", isTransient: true)
        break
      }
      let length = Glibc.read(ends[0], &block, block.count)
      guard length > 0 else { break }
      hasStarted = true
      bytes += block[..<length]
      while let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[..<newline]
        if line.starts(with: BL_REFUSAL_PREFIX.utf8) {
          refusal = String(decoding: line, as: UTF8.self)
        } else if !line.isEmpty {
          answers.append(Self.answer(line))
        }
        bytes.removeSubrange(...newline)
      }
      if bytes.count > Self.mostBytes {
        end = End(reason: "its tables are larger than any unit needs")
      }
    }
    kill(child, SIGKILL)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return (answers, end ?? End(reason: Self.describe(status, refusal)))
  }

  private func start(_ paths: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([program, LibraryInspection.command, "--"] + paths).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // A backtrace needs another process, which a confined one may not start.
    var environment = Self.environment(with: "SWIFT_BACKTRACE=enable=no")
    defer { for variable in environment { free(variable) } }
    var process = pid_t(0)
    guard posix_spawn(&process, program, &actions, nil, &arguments, &environment) == 0 else {
      return nil
    }
    return process
  }

  /// This process's variables and `setting`, ended by nil; to be freed.
  private static func environment(
    with setting: String
  ) -> [UnsafeMutablePointer<CChar>?] {
    let name = setting.prefix { $0 != "=" } + "="
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup(setting)]
    var place = environ
    while let variable = place.pointee {
      if strncmp(variable, String(name), name.utf8.count) != 0 {
        variables.append(strdup(variable))
      }
      place += 1
    }
    return variables + [nil]
  }

  private static func answer(_ line: ArraySlice<UInt8>) -> Result<[UnitFacts], BundleFault> {
    guard
      let answer = try? LibraryInspection.decoder.decode(
        LibraryInspection.Answer.self, from: Data(line))
    else { return .failure(BundleFault("what was read of its units makes no sense")) }
    return answer.problem.map { .failure(BundleFault($0)) } ?? .success(answer.units)
  }

  private static func describe(_ status: Int32, _ refusal: String?) -> String {
    let signal = status & 0x7F
    guard signal == 0 else {
      return "loading it crashes: \(String(cString: strsignal(signal)))"
    }
    let code = status >> 8 & 0xFF
    if code == BL_CONFINEMENT_EXIT_REFUSED, let refusal { return "loading it is \(refusal)" }
    return "loading it ends the program (exit code \(code))"
  }
}
