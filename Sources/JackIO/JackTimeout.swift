import AsyncSupport

/// Waits for a JACK server with a timeout: if a server hangs, libjack's calls never return.
package enum JackTimeout {
  /// The usual timeout; servers respond within milliseconds.
  static let `default` = Duration.seconds(3)

  /// Returns the result of `work`, which continues in the background after the timeout; its late result is
  /// passed to `discard`.
  ///
  /// - Throws: `JackError.standsStill` after the timeout, or the error of `work`.
  package static func run<Answer: Sendable>(
    within timeout: Duration = `default`, _ work: @escaping @Sendable () async throws -> Answer,
    discard: @escaping @Sendable (Answer) async -> Void = { _ in }
  ) async throws -> Answer {
    // The result is not passed through the continuation: see DispatchQueue.answer.
    let outcome = Guarded<Result<Answer, any Error>?>(nil)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      @Sendable func finish(_ result: Result<Answer, any Error>) -> Bool {
        let isFirst = outcome.withLock { outcome in
          guard case nil = outcome else { return false }
          outcome = result
          return true
        }
        if isFirst { continuation.resume() }
        return isFirst
      }
      let alarm = Task {
        try await Task.sleep(for: timeout)
        _ = finish(.failure(JackError.standsStill))
      }
      Task {
        do {
          let answer = try await work()
          if !finish(.success(answer)) { await discard(answer) }
        } catch {
          _ = finish(.failure(error))
        }
        alarm.cancel()
      }
    }
    guard let result = outcome.withLock({ $0 }) else { throw JackError.standsStill }
    return try result.get()
  }
}
