import Dispatch

extension DispatchQueue {
  /// What `work` answers once this queue has run it.
  ///
  /// Not through the continuation: where the answer comes before anybody waits for it,
  /// ThreadSanitizer loses sight of what was written before.
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
      preconditionFailure("it is settled before the continuation is resumed")
    }
    return try result.get()
  }
}
