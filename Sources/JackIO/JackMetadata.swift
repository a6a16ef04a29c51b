import AsyncSupport
import CJack
import Dispatch
import Glibc

/// Calls of libjack that use the metadata database, on a thread of their own: libjack waits there for a
/// lock, for ever where a program holds it that was killed or stopped. All clients of this process share
/// the thread, as they share the database.
final class JackMetadata: Sendable {
  static let shared = JackMetadata()

  /// The time that one call may take; none is made after one that has taken longer.
  static let patience = Duration.seconds(3)

  private let queue = DispatchQueue(label: "backline.jack-metadata")
  private let state = Guarded(State())

  private struct State {
    var begun = 0
    var ended = 0
    var isGivenUp = false
  }

  /// Calls libjack soon.
  ///
  /// - Parameter giveUp: called where this call is the one that takes too long.
  func perform(
    _ work: @escaping @Sendable () -> Void, orGiveUp giveUp: @escaping @Sendable (String) -> Void
  ) {
    let number = state.withLock { state -> Int? in
      if state.isGivenUp { return nil }
      state.begun += 1
      return state.begun
    }
    guard let number else { return }
    queue.async { [self] in
      // Given up meanwhile, it would meet the same lock.
      if !state.withLock({ $0.isGivenUp }) { work() }
      state.withLock { $0.ended += 1 }
    }
    Task { [self] in
      try? await Task.sleep(for: Self.patience)
      let isFirst = state.withLock { state in
        guard state.ended < number, !state.isGivenUp else { return false }
        state.isGivenUp = true
        return true
      }
      if isFirst { giveUp(Self.advice) }
    }
  }

  /// Waits until no call is under way; false where one still is after that time.
  func isIdle(within timeout: Duration = patience) async -> Bool {
    let end = ContinuousClock.now + timeout
    while true {
      let (isIdle, isGivenUp) = state.withLock { ($0.ended == $0.begun, $0.isGivenUp) }
      if isIdle { return true }
      guard !isGivenUp, .now < end else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private static var advice: String {
    "JACK's metadata database does not answer, so that patchbays do not see the names of our ports: a"
      + " program that was killed may hold its lock; end all JACK programs, then rm -r"
      + " /dev/shm/jack_db-\(getuid())"
  }
}
