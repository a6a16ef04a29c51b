import CIO

extension JackClient {
  /// Waits until the current or the next cycle has ended; returns false if the client does not play.
  package func nextCycle() async -> Bool {
    guard state == .active else { return false }
    await cycleEnd()
    return state == .active
  }

  /// Waits for a cycle as `nextCycle` does; returns false after a timeout, too.
  @discardableResult
  func waitForCycle(within timeout: Duration = .milliseconds(500)) async -> Bool {
    let hasEnded = try? await JackTimeout.run(within: timeout) { await self.nextCycle() }
    return hasEnded ?? false
  }

  private func cycleEnd() async {
    guard !isClosed else { return }
    await withCheckedContinuation { continuation in
      cycleWaiters.append((bl_jack_client_request_cycle(callbacks), continuation))
    }
  }

  /// Resumes the waiters for cycles that have ended; nil resumes all.
  func resumeCycleWaiters(_ cycles: UInt64? = nil) {
    let due = cycleWaiters.filter { $0.cycle != cycles }
    cycleWaiters.removeAll { $0.cycle != cycles }
    if !cycleWaiters.isEmpty { _ = bl_jack_client_request_cycle(callbacks) }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Stops playing. Returns true once no JACK thread is in the kernel any more; false if a cycle does
  /// not end within half a second.
  public func releaseKernel() async -> Bool {
    if !isClosed, !bl_jack_client_set_kernel(callbacks, nil) {
      try? await JackTimeout.run(within: .milliseconds(500)) { await self.cycleEnd() }
    }
    guard isClosed || bl_jack_client_set_kernel(callbacks, nil) else { return false }
    stopHelpers()
    kernel = nil
    return true
  }

  /// The scheduling of JACK's process thread.
  package struct ThreadPlace: Sendable, Equatable {
    /// The real-time priority; 0 without real-time permission.
    package var priority: Int
    package var processor: Int
  }

  /// The process thread's scheduling; nil before the first cycle, and once the client is closed.
  package var threadPlace: ThreadPlace? {
    var (priority, processor): (Int32, Int32) = (0, 0)
    guard !isClosed, bl_jack_client_thread_place(callbacks, &priority, &processor) else {
      return nil
    }
    return ThreadPlace(priority: Int(priority), processor: Int(processor))
  }

  /// Pins the process thread to one processor, so that units' processes can run beside it.
  package func keepThread(on processor: Int) -> Bool {
    !isClosed && bl_jack_client_pin_thread(callbacks, Int32(processor))
  }
}
