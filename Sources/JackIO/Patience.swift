import AsyncSupport

/// Waits for a JACK server, which may stand still: libjack's calls then return never.
package enum Patience {
  /// For one answer; servers take milliseconds.
  static let limit = Duration.seconds(3)

  /// What `work` answers, if it does in time; the work then goes on by itself, and an answer that
  /// comes late goes to `discard`.
  ///
  /// - Throws: `JackError.standsStill` when time is up, or what `work` throws.
  package static func answer<Answer: Sendable>(
    within limit: Duration = limit, to work: @escaping @Sendable () async throws -> Answer,
    discard: @escaping @Sendable (Answer) async -> Void = { _ in }
  ) async throws -> Answer {
    // Not through the continuation: see DispatchQueue.answer.
    let outcome = Outcome<Answer>()
    await withCheckedContinuation { continuation in
      let alarm = Task {
        try await Task.sleep(for: limit)
        if outcome.settle(.failure(JackError.standsStill)) { continuation.resume() }
      }
      Task {
        do {
          let answer = try await work()
          if outcome.settle(.success(answer)) {
            continuation.resume()
          } else {
            await discard(answer)
          }
        } catch {
          if outcome.settle(.failure(error)) { continuation.resume() }
        }
        alarm.cancel()
      }
    }
    return try outcome.get()
  }

  /// What comes first.
  private final class Outcome<Answer: Sendable>: Sendable {
    private let result = Guarded<Result<Answer, any Error>?>(nil)

    /// False where something has come before.
    func settle(_ new: Result<Answer, any Error>) -> Bool {
      result.withLock { result in
        guard case nil = result else { return false }
        result = new
        return true
      }
    }

    /// Once it is settled.
    func get() throws -> Answer {
      guard let result = result.withLock({ $0 }) else { throw JackError.standsStill }
      return try result.get()
    }
  }
}
