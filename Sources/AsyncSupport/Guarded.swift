import Synchronization

/// A value behind a lock that ThreadSanitizer can follow.
///
/// `Mutex` is in a library that is not built for ThreadSanitizer; the fence shows it that each lock
/// holder sees the previous holder's writes.
package final class Guarded<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  private let fence = Atomic<Bool>(false)

  package init(_ value: Value) {
    mutex = Mutex(value)
  }

  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) in
      _ = fence.load(ordering: .acquiring)
      defer { fence.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
