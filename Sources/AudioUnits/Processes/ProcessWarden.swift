import AsyncSupport
import CSystem
import CUnitService
import Dispatch
import Glibc

/// The one thread that starts unit processes and hears what they say and how they end.
///
/// They die with the thread that starts them, and this one lasts as long as the program does.
final class ProcessWarden: Sendable {
  static let shared = ProcessWarden()

  /// What becomes of a process.
  struct Watch: Sendable {
    /// A line that it wrote to standard error.
    var hear: @Sendable (String) -> Void
    /// Twenty times a second, while it runs.
    var look: @Sendable () -> Void
    /// It has ended: an exit code, or a signal's number negated; it has said all it had to.
    var end: @Sendable (Int32) -> Void
  }

  private struct Errand: Sendable {
    var program: String
    var socket: Int32
    var bell: Int32
    var watch: Watch
    /// With a descriptor of its end (pidfd) that is the caller's, or an error number.
    var done: @Sendable (Result<(process: pid_t, ends: Int32), SystemError>) -> Void
  }

  struct SystemError: Error, CustomStringConvertible {
    var number: Int32
    var description: String { String(cString: strerror(number)) }
  }

  private struct Ward {
    var ends: Int32
    var errors: Int32
    var watch: Watch
    var pending: [UInt8] = []
  }

  private let errands = Guarded<[Errand]>([])
  private let bell: (read: Int32, write: Int32)

  private init() {
    var ends: [Int32] = [-1, -1]
    _ = bl_pipe(&ends)
    bell = (ends[0], ends[1])
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let failure = pthread_create(&thread, nil, Self.main, context)
    if failure == 0 { pthread_detach(thread) }
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    if let context { Unmanaged<ProcessWarden>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }

  /// Starts a process, and tells `watch` of it from then on, on the warden's thread; waits until it
  /// is started.
  func start(
    _ program: String, socket: Int32, bell: Int32, watch: Watch
  ) throws(SystemError) -> (process: pid_t, ends: Int32) {
    let answer = Guarded<Result<(process: pid_t, ends: Int32), SystemError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let errand = Errand(program: program, socket: socket, bell: bell, watch: watch) { result in
      answer.withLock { $0 = result }
      done.signal()
    }
    errands.withLock { $0.append(errand) }
    wake()
    done.wait()
    guard let result = answer.withLock({ $0 }) else { throw SystemError(number: EAGAIN) }
    return try result.get()
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(bell.write, &byte, 1)
  }

  private func run() {
    // Whoever asked first may have been in a hurry, and on one processor; threads inherit that.
    _ = bl_service_place_thread(0, 0, -1)
    var wards: [Ward] = []
    while true {
      var polled = [pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)]
      for ward in wards {
        polled.append(pollfd(fd: ward.errors, events: Int16(POLLIN), revents: 0))
        polled.append(pollfd(fd: ward.ends, events: Int16(POLLIN), revents: 0))
      }
      _ = poll(&polled, nfds_t(polled.count), wards.isEmpty ? -1 : 50)
      if polled[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(bell.read, &bytes, bytes.count)
      }
      for index in wards.indices.reversed() {
        let hasEnded = polled[2 + 2 * index].revents != 0
        if polled[1 + 2 * index].revents != 0 || hasEnded { Self.hear(&wards[index]) }
        if hasEnded {
          finish(wards.remove(at: index))
        } else {
          wards[index].watch.look()
        }
      }
      for errand in takeErrands() {
        if let ward = begin(errand) { wards.append(ward) }
      }
    }
  }

  private func takeErrands() -> [Errand] {
    errands.withLock { all in
      defer { all = [] }
      return all
    }
  }

  private func begin(_ errand: Errand) -> Ward? {
    var pipe: [Int32] = [-1, -1]
    var ends: Int32 = -1
    guard bl_pipe(&pipe) == 0 else {
      errand.done(.failure(SystemError(number: errno)))
      return nil
    }
    _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    let process = bl_service_spawn(errand.program, errand.socket, errand.bell, pipe[1], &ends)
    let problem = errno
    close(pipe[1])
    guard process > 0 else {
      close(pipe[0])
      errand.done(.failure(SystemError(number: problem)))
      return nil
    }
    errand.done(.success((process, fcntl(ends, F_DUPFD_CLOEXEC, 0))))
    return Ward(ends: ends, errors: pipe[0], watch: errand.watch)
  }

  private func finish(_ ward: Ward) {
    let end = bl_service_reap(ward.ends)
    ward.watch.end(end)
    if ward.errors >= 0 { close(ward.errors) }
    close(ward.ends)
  }

  /// Longer lines are cut: whoever writes them may mean no good.
  private static let longestLine = 400

  private static func hear(_ ward: inout Ward) {
    var block = [UInt8](repeating: 0, count: 4096)
    // Not for ever, if it should never stop.
    for _ in 0..<16 {
      let count = read(ward.errors, &block, block.count)
      if count == 0 {
        // Nobody is left to say anything, and would be told so for ever.
        close(ward.errors)
        ward.errors = -1
      }
      guard count > 0 else { break }
      ward.pending += block[..<count]
      while let newline = ward.pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = ward.pending[..<newline].prefix(longestLine).filter { $0 >= 0x20 }
        if !line.isEmpty { ward.watch.hear(String(decoding: line, as: UTF8.self)) }
        ward.pending.removeSubrange(...newline)
      }
      if ward.pending.count > longestLine { ward.pending = Array(ward.pending.prefix(longestLine)) }
    }
  }
}
