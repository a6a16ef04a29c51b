import Dispatch

/// Runs an actor on a queue of its own: libjack's calls wait for the server, and a thread of
/// Swift's shared pool must not.
final class JackExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "backline.jack")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
