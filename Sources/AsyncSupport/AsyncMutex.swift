/// A first-in, first-out lock whose waiters suspend. It serialises an actor's long operations, which
/// otherwise interleave at every `await`.
///
/// It belongs to one actor, which alone may call it.
package final class AsyncMutex {
  package private(set) var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Suspends until the lock is free, and acquires it.
  package func lock(isolation: isolated (any Actor)? = #isolation) async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Passes the lock to the next waiter, if there is any.
  package func unlock() {
    if waiting.isEmpty {
      isLocked = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
