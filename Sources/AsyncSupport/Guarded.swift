import Synchronization

/// A value behind a lock, in a way that ThreadSanitizer can follow.
///
/// `Mutex` works out of its sight, in a library that is not built for it; the fence beside it says
/// once more, where it looks, that each holder sees what the one before left.
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
