import AsyncSupport
import CLinux
import CUnitService
import Dispatch
import Glibc

/// The thread that starts unit processes, reads their standard error and waits for them to end.
///
/// A unit process dies with the thread that started it; this thread lasts as long as the program.
final class ProcessGuardian: Sendable {
  static let shared = ProcessGuardian()

  private typealias Task = @Sendable () -> UnitProcess?

  private let tasks = Guarded<[Task]>([])
  /// The pipe that wakes the thread's `poll`.
  private let wakeUp: (read: Int32, write: Int32)

  private init() {
    var ends: [Int32] = [-1, -1]
    _ = bl_pipe(&ends)
    wakeUp = (ends[0], ends[1])
    var thread = pthread_t()
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      if let context { Unmanaged<ProcessGuardian>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }
    let context = Unmanaged.passRetained(self).toOpaque()
    if pthread_create(&thread, nil, body, context) == 0 { pthread_detach(thread) }
  }

  /// Runs `spawn` on the guardian's thread and waits for the result. From then on the process is
  /// checked twenty times a second, and receives its output and its end as events.
  func start<Failure: Error>(
    _ spawn: @escaping @Sendable () -> Result<UnitProcess, Failure>
  ) throws(Failure) -> UnitProcess {
    let result = Guarded<Result<UnitProcess, Failure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    tasks.withLock { tasks in
      tasks.append {
        let spawned = spawn()
        result.withLock { $0 = spawned }
        isDone.signal()
        return try? spawned.get()
      }
    }
    var byte: UInt8 = 1
    _ = write(wakeUp.write, &byte, 1)
    isDone.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("the task has run") }
    return try result.get()
  }

  private func run() {
    // Reset the scheduling: the thread must not inherit the first caller's real-time priority or
    // processor.
    _ = bl_service_place_thread(0, 0, -1)
    var processes: [UnitProcess] = []
    while true {
      let watched = [wakeUp.read] + processes.flatMap { [$0.errors, $0.end] }
      var polled = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&polled, nfds_t(polled.count), processes.isEmpty ? -1 : 50)
      if polled[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakeUp.read, &bytes, bytes.count)
      }
      for (index, process) in processes.enumerated().reversed() {
        let hasEnded = polled[2 + 2 * index].revents != 0
        if polled[1 + 2 * index].revents != 0 || hasEnded { process.readErrors() }
        if hasEnded {
          process.finish()
          processes.remove(at: index)
        } else {
          process.report(.isRunning)
        }
      }
      let new = tasks.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      processes += new.compactMap { $0() }
    }
  }
}
