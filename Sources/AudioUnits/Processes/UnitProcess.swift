import AsyncSupport
import CConfinement
import CLinux
import CUnitService
import Glibc
import UnitModel

/// One process that renders units. When it has ended, another replaces it.
final class UnitProcess: Sendable {
  let number: pid_t
  /// The process's pidfd, which becomes readable when the process has ended.
  let end: Int32
  private let socket: Socket
  private let listener: Listener
  private let state: Guarded<State>

  /// The host's end of the socket to the process.
  ///
  /// Unchecked because of the pointer, which every thread may use (process.h).
  private final class Socket: @unchecked Sendable {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { bl_service_process_release(pointer) }
  }

  private struct State: Sendable {
    /// The read end of the process's standard error pipe; -1 once closed.
    var errors: Int32
    /// The incomplete line read so far.
    var pending = LineBuffer()
    var lines: [String] = []
    /// The reason why the host killed the process; nil if it did not.
    var killReason: String?
  }

  enum Event: Sendable {
    /// A periodic check, twenty times a second.
    case isRunning
    case refused(String)
    case ended(reason: String)
  }

  /// Receives events on the guardian's thread.
  typealias Listener = @Sendable (UnitProcess, Event) -> Void

  /// The files and folders that units may use.
  struct FileAccess: Sendable, Equatable {
    var readable: Set<String> = []
    var writable: Set<String> = []

    /// The text that BL_SERVICE_CONFINE expects.
    fileprivate var text: [UInt8] {
      (readable.sorted().map { "r\($0)" } + writable.sorted().map { "w\($0)" })
        .flatMap { Array($0.utf8) + [0] }
    }

    /// Whether the file or a folder above it is readable.
    func covers(_ path: String) -> Bool {
      readable.union(writable).contains { path == $0 || path.hasPrefix("\($0)/") }
    }
  }

  /// Starts `program`, confined to those files; waits until it is confined.
  ///
  /// - Throws: `AudioUnitError` with `name`.
  static func start(
    _ program: String, name: String, files: FileAccess, listener: @escaping Listener
  ) throws(AudioUnitError) -> UnitProcess {
    let process = try ProcessGuardian.shared.start {
      Result { () throws(AudioUnitError) in
        try UnitProcess(spawning: program, name: name, listener: listener)
      }
    }
    if let problem = process.confine(to: files) {
      process.kill(because: "it could not be confined")
      throw AudioUnitError(unit: name, reason: problem)
    }
    return process
  }

  /// Creates the process; called on the guardian's thread.
  private init(
    spawning program: String, name: String, listener: @escaping Listener
  ) throws(AudioUnitError) {
    var (sockets, pipe): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    var (end, process): (Int32, pid_t) = (-1, -1)
    var pointer: OpaquePointer?
    if bl_service_socket_pair(&sockets) == 0, bl_pipe(&pipe) == 0 {
      pointer = bl_service_process_create(sockets[0])
    }
    if let pointer {
      let bell = bl_service_process_bell(pointer)
      process = bl_service_spawn(program, sockets[1], bell, pipe[1], &end)
    }
    let problem = errno
    for descriptor in [sockets[1], pipe[1]] where descriptor >= 0 { close(descriptor) }
    guard let pointer, process > 0 else {
      if let pointer { bl_service_process_release(pointer) } else { close(sockets[0]) }
      close(pipe[0])
      throw AudioUnitError(
        unit: name, reason: "\(program) cannot be started: \(String(cString: strerror(problem)))")
    }
    _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    number = process
    self.end = end
    socket = Socket(pointer)
    self.listener = listener
    state = Guarded(State(errors: pipe[0]))
  }

  deinit {
    _ = bl_service_kill(end)
    close(end)
    if errors >= 0 { close(errors) }
  }

  var pointer: OpaquePointer { socket.pointer }
  var isDead: Bool { bl_service_process_is_dead(pointer) }
  var errors: Int32 { state.withLock { $0.errors } }

  /// Kills the process at once, and reports `reason` as the reason of its end.
  func kill(because reason: String) {
    state.withLock { if $0.killReason == nil { $0.killReason = reason } }
    _ = bl_service_kill(end)
  }

  /// Asks the process to confine itself before it loads a library; returns the reason for a failure.
  private func confine(to files: FileAccess) -> String? {
    let text = files.text
    guard text.count <= Int(BL_SERVICE_TEXT_CAPACITY) else {
      return "the names of its files are too long together"
    }
    var call = bl_service_call()
    call.verb = BL_SERVICE_CONFINE.rawValue
    call.length = UInt32(text.count)
    var reply = bl_service_reply()
    guard bl_service_process_ask(pointer, &call, text, nil, 0, Self.startTimeout, &reply) else {
      return "its process does not start"
    }
    let missing = withUnsafeBytes(of: &reply.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !missing.isEmpty { Self.missing.withLock { $0 = missing } }
    return nil
  }

  /// The timeout for the start, milliseconds; a process that ends meanwhile is noticed at once.
  private static let startTimeout: UInt32 = 30_000

  private static let missing = Guarded<String?>(nil)
  /// The mechanisms of confinement that the system lacks; nil if it lacks none, or before the first
  /// process was started.
  static var missingConfinement: String? { missing.withLock { $0 } }

  // MARK: - On the guardian's thread

  func report(_ event: Event) { listener(self, event) }

  /// The longest line of standard error that is kept; longer lines are truncated.
  private static let longestLine = 400

  /// Reads the process's standard error, and reports refused calls.
  func readErrors() {
    let lines = state.withLock { state in
      var lines: [String] = []
      var block = [UInt8](repeating: 0, count: 4096)
      // Limit the reads, since a process may write without end.
      for _ in 0..<16 {
        let count = read(state.errors, &block, block.count)
        if count == 0 {
          close(state.errors)
          state.errors = -1
        }
        guard count > 0 else { break }
        state.pending.append(block[..<count])
        while let bytes = state.pending.pop() {
          let line = bytes.prefix(Self.longestLine).filter { $0 >= 0x20 }
          if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        state.pending.truncate(to: Self.longestLine)
      }
      state.lines = (state.lines + lines).suffix(64)
      return lines
    }
    for refused in Self.texts(in: lines, after: Self.refusalMark) { report(.refused(refused)) }
  }

  func finish() {
    bl_service_process_set_dead(pointer)
    report(.ended(reason: reason(bl_service_reap(end))))
  }

  private static let refusalMark = "refused: "

  private static func texts(in lines: [String], after mark: String) -> [String] {
    lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  /// Returns the reason of the process's end, as a text for messages.
  private func reason(_ status: Int32) -> String {
    let (killReason, lines) = state.withLock { ($0.killReason, $0.lines) }
    if let killReason { return killReason }
    if status == Int32(BL_CONFINEMENT_EXIT_REFUSED) {
      let call = Self.texts(in: lines, after: Self.refusalMark).last ?? "unnamed"
      return "it was refused a call that units may not make (\(call))"
    }
    if let crash = CrashReport(lines: lines) { return "it crashed: \(crash.cause)" }
    if status < 0 {
      return "its process was ended by a signal: \(String(cString: strsignal(-status)))"
    }
    return "its process ended by itself (exit code \(status))"
  }

  /// The crash report; nil unless the process has crashed.
  var crashReport: CrashReport? { CrashReport(lines: state.withLock { $0.lines }) }

  /// The thread limit, more than any unit needs; a process with more is killed.
  static let maximumThreadCount = 256

  var threadCount: Int {
    var facts = stat()
    // A folder has a link from each subfolder, and two of its own.
    return stat("/proc/\(number)/task", &facts) == 0 ? Int(facts.st_nlink) - 2 : 0
  }
}
