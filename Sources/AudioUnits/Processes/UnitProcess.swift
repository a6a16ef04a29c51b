import AsyncSupport
import CConfinement
import CUnitService
import Glibc
import UnitModel

/// One process that renders units; when it is gone, another takes its place.
final class UnitProcess: Sendable {
  private let end: Socket
  let number: pid_t
  private let ends: Int32
  private let shared: Guarded<State>

  /// Our end of its socket.
  ///
  /// Unchecked because of the pointer, which every thread may use (process.h).
  private final class Socket: @unchecked Sendable {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { bl_service_process_release(pointer) }
  }

  private struct State: Sendable {
    var lines: [String] = []
    /// Why it is to end, where we end it.
    var sentence: String?
    var hasEnded = false
  }

  /// Where units may reach.
  struct Confines: Sendable, Equatable {
    var readable: Set<String> = []
    var writable: Set<String> = []

    var text: [UInt8] {
      (readable.sorted().map { "r\($0)" } + writable.sorted().map { "w\($0)" })
        .flatMap { Array($0.utf8) + [0] }
    }

    /// Is a file's folder, or one above, among those that may be read?
    func covers(_ path: String) -> Bool {
      readable.union(writable).contains { path == $0 || path.hasPrefix("\($0)/") }
    }
  }

  /// What is said of it while it runs and when it ends, on the warden's thread.
  struct Listener: Sendable {
    var look: @Sendable (UnitProcess) -> Void
    var refusal: @Sendable (String) -> Void
    var end: @Sendable (UnitProcess, String) -> Void
  }

  /// Starts `program`, confined.
  ///
  /// - Throws: `AudioUnitError`, as `name`.
  static func start(
    _ program: String, name: String, confines: Confines, listener: Listener
  ) throws(AudioUnitError) -> UnitProcess {
    func fault(_ reason: String) -> AudioUnitError { AudioUnitError(unit: name, reason: reason) }
    var sockets: [Int32] = [-1, -1]
    guard bl_service_socket_pair(&sockets) == 0 else {
      throw fault("its process cannot be started: \(String(cString: strerror(errno)))")
    }
    guard let pointer = bl_service_process_create(sockets[0]) else {
      close(sockets[0])
      close(sockets[1])
      throw fault("memory is short")
    }
    let end = Socket(pointer)
    let holder = Guarded<UnitProcess?>(nil)
    let shared = Guarded(State())
    let watch = ProcessWarden.Watch(
      hear: { line in
        shared.withLock { state in
          state.lines = state.lines.suffix(63) + [line]
        }
        if line.hasPrefix(refusalMark) {
          listener.refusal(String(line.dropFirst(refusalMark.count)))
        }
      },
      look: { if let process = holder.withLock({ $0 }) { listener.look(process) } },
      end: { status in
        shared.withLock { $0.hasEnded = true }
        bl_service_process_set_dead(end.pointer)
        if let process = take(from: holder) { listener.end(process, process.reason(status)) }
      })
    let started: (process: pid_t, ends: Int32)
    do {
      started = try ProcessWarden.shared.start(
        program, socket: sockets[1], bell: bl_service_process_bell(pointer), watch: watch)
    } catch {
      close(sockets[1])
      throw fault("\(program) cannot be started: \(error)")
    }
    close(sockets[1])
    let process = UnitProcess(
      end, number: started.process, ends: started.ends, shared)
    holder.withLock { $0 = process }
    // It may have ended before there was anybody to tell.
    if shared.withLock({ $0.hasEnded }), take(from: holder) != nil {
      throw fault("its process ends as soon as it is started")
    }
    try process.confine(confines, fault)
    return process
  }

  private static func take(from holder: Guarded<UnitProcess?>) -> UnitProcess? {
    holder.withLock { value in
      defer { value = nil }
      return value
    }
  }

  private init(_ end: Socket, number: pid_t, ends: Int32, _ shared: Guarded<State>) {
    self.end = end
    self.number = number
    self.ends = ends
    self.shared = shared
  }

  deinit {
    _ = bl_service_kill(ends)
    close(ends)
  }

  var pointer: OpaquePointer { end.pointer }
  var isDead: Bool { bl_service_process_is_dead(pointer) }

  /// Ends it at once; the reason is what is told of its end.
  func kill(because reason: String) {
    shared.withLock { if $0.sentence == nil { $0.sentence = reason } }
    _ = bl_service_kill(ends)
  }

  /// Before anything foreign is loaded.
  private func confine(
    _ confines: Confines, _ fault: (String) -> AudioUnitError
  ) throws(AudioUnitError) {
    let text = confines.text
    var call = bl_service_call()
    call.verb = BL_SERVICE_CONFINE.rawValue
    call.length = UInt32(text.count)
    var reply = bl_service_reply()
    guard text.count <= Int(BL_SERVICE_TEXT_CAPACITY) else {
      kill(because: "it could not be confined")
      throw fault("its files' names are too long together")
    }
    guard bl_service_process_ask(pointer, &call, text, nil, 0, Self.startPatience, &reply) else {
      kill(because: "it could not be confined")
      throw fault("its process does not start")
    }
    let lacking = withUnsafeBytes(of: &reply.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !lacking.isEmpty { Self.tellLack(of: lacking) }
  }

  /// Milliseconds; one that dies meanwhile is noticed at once.
  private static let startPatience: UInt32 = 30_000

  private static func tellLack(of mechanisms: String) { lack.withLock { $0 = mechanisms } }

  private static let lack = Guarded<String?>(nil)
  /// What the system lacks to confine processes; nil where it lacks nothing or none was started.
  static var lackingConfinement: String? { lack.withLock { $0 } }

  private static let refusalMark = "refused: "

  /// Why it ended, for people.
  private func reason(_ status: Int32) -> String {
    let (sentence, lines) = shared.withLock { ($0.sentence, $0.lines) }
    if let sentence { return sentence }
    if status == Int32(BL_CONFINEMENT_EXIT_REFUSED) {
      let refusal = lines.last { $0.hasPrefix(Self.refusalMark) }
      return "it was refused what units may not do"
        + " (\(refusal?.dropFirst(Self.refusalMark.count) ?? "unnamed"))"
    }
    if let crash = lines.last(where: { $0.hasPrefix("crash: ") }) {
      return "it crashed: \(crash.dropFirst("crash: ".count))"
    }
    if status < 0 {
      return "its process was ended by a signal: \(String(cString: strsignal(-status)))"
    }
    return "its process ended by itself (exit code \(status))"
  }

  /// The stack frames of a crash, innermost first: "LIBRARY+0xOFFSET (FUNCTION)".
  var stack: [String] {
    let mark = "frame: "
    return shared.withLock { $0.lines }.filter { $0.hasPrefix(mark) }
      .map { String($0.dropFirst(mark.count)) }
  }

  /// More threads than any unit needs; beyond it the process is ended.
  static let maximumThreadCount = 256

  /// As the system counts them.
  var threadCount: Int {
    var facts = stat()
    // A folder has a link from each folder in it, and two of its own.
    return stat("/proc/\(number)/task", &facts) == 0 ? Int(facts.st_nlink) - 2 : 0
  }
}
