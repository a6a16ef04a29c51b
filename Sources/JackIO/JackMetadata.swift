import AsyncSupport
import CJack
import Dispatch
import Glibc

/// Calls libjack's metadata functions on a separate thread: libjack waits there for a lock, for ever if
/// a program that holds it was killed or stopped. All clients of this process share the thread, as they
/// share the database.
///
/// The caller waits: libjack sends each change to the server, and a client's requests must not cross.
final class JackMetadata: Sendable {
  static let shared = JackMetadata()

  /// The timeout of one call, shorter than a start's; after a timeout no more calls are made.
  static let timeout = Duration.milliseconds(1500)

  private let queue = DispatchQueue(label: "backline.jack-metadata")
  private let givenUp = Guarded(false)

  /// Whether a call has timed out, and may still be running.
  var isGivenUp: Bool { givenUp.withLock { $0 } }

  /// Calls libjack and waits for it.
  ///
  /// - Parameter giveUp: called if this call is the one that times out.
  func perform(_ work: @escaping @Sendable () -> Void, orGiveUp giveUp: (String) -> Void) {
    guard !isGivenUp else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async {
      work()
      done.signal()
    }
    guard done.wait(timeout: .now() + Self.timeout / .seconds(1)) == .timedOut else { return }
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
