import Dispatch
import Glibc
import Synchronization

/// Notices Ctrl-C and its like for as long as this lives, so that work can end cleanly.
final class Interruption {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  private let flag = Flag()
  private let sources: [any DispatchSourceSignal]

  var hasHappened: Bool { flag.isSet.load(ordering: .relaxed) }

  init() {
    let queue = DispatchQueue(label: "backline.interruption")
    sources = [SIGINT, SIGTERM, SIGHUP].map { [flag] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { flag.isSet.store(true, ordering: .relaxed) }
      source.activate()
      return source
    }
  }
}
