import AsyncSupport
import CJack
import Dispatch
import Glibc

/// Calls of libjack that use the metadata database, on a thread of their own: libjack waits there for a
/// lock, for ever where a program holds it that was killed or stopped. All clients of this process share
/// the thread, as they share the database.
///
/// The caller waits: libjack sends each change to the server, and a client's requests must not cross.
final class JackMetadata: Sendable {
  static let shared = JackMetadata()

  /// The time that one call may take, less than a start may; none is made after one that took longer.
  static let patience = Duration.milliseconds(1500)

  private let queue = DispatchQueue(label: "backline.jack-metadata")
  private let givenUp = Guarded(false)

  /// Whether a call took too long, and may still be under way.
  var isGivenUp: Bool { givenUp.withLock { $0 } }

  /// Calls libjack and waits for it.
  ///
  /// - Parameter giveUp: called where this call is the one that takes too long.
  func perform(_ work: @escaping @Sendable () -> Void, orGiveUp giveUp: (String) -> Void) {
    guard !isGivenUp else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async {
      work()
      done.signal()
    }
    guard done.wait(timeout: .now() + Self.patience / .seconds(1)) == .timedOut else { return }
    let isFirst = givenUp.withLock { givenUp in
      defer { givenUp = true }
      return !givenUp
    }
    if isFirst { giveUp(Self.advice) }
  }

  private static var advice: String {
    "JACK's metadata database does not answer, so that patchbays do not see the names of our ports: a"
      + " program that was killed may hold its lock; end all JACK programs, then rm -r"
      + " /dev/shm/jack_db-\(getuid())"
  }
}
