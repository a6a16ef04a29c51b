/// A first-in, first-out lock whose waiters suspend; it keeps an actor's long operations apart, which
/// otherwise interleave at every `await`.
///
/// Belongs to one actor, which alone may call it.
package final class AsyncMutex {
  package private(set) var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Suspends until the lock is free, and takes it.
  package func lock(isolation: isolated (any Actor)? = #isolation) async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Hands the lock to the next waiter, if there is any.
  package func unlock() {
    if waiting.isEmpty {
      isLocked = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
