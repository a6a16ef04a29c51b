import Synchronization

/// Waits for a JACK server, which may stand still: libjack's calls then return never.
enum Patience {
  /// For one answer; servers take milliseconds.
  static let limit = Duration.seconds(3)

  /// What `work` answers, if it does in time; the work then goes on by itself, and an answer that
  /// comes late goes to `discard`.
  ///
  /// - Throws: `JackError.standsStill` when time is up, or what `work` throws.
  static func answer<Answer: Sendable>(
    within limit: Duration = limit, to work: @escaping @Sendable () async throws -> Answer,
    discard: @escaping @Sendable (Answer) async -> Void = { _ in }
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let first = First()
      let alarm = Task {
        try await Task.sleep(for: limit)
        if first.isMine() { continuation.resume(throwing: JackError.standsStill) }
      }
      Task {
        do {
          let answer = try await work()
          if first.isMine() {
            continuation.resume(returning: answer)
          } else {
            await discard(answer)
          }
        } catch {
          if first.isMine() { continuation.resume(throwing: error) }
        }
        alarm.cancel()
      }
    }
  }

  /// True for whoever asks first.
  private final class First: Sendable {
    private let isTaken = Atomic(false)
    func isMine() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
  }
}
