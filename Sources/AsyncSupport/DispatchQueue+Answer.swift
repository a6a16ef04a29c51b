import Dispatch

extension DispatchQueue {
  /// Runs `work` on this queue and returns its result.
  ///
  /// The continuation does not carry the result: if it is resumed before the caller waits,
  /// ThreadSanitizer misses the earlier writes.
  package func answer<Answer: Sendable, Failure: Error>(
    to work: @escaping @Sendable () throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let outcome = Guarded<Result<Answer, Failure>?>(nil)
    await withCheckedContinuation { continuation in
      async {
        let result = Result(catching: work)
        outcome.withLock { $0 = result }
        continuation.resume()
      }
    }
    guard let result = outcome.withLock({ $0 }) else {
      preconditionFailure("the result is set before the continuation is resumed")
    }
    return try result.get()
  }
}
