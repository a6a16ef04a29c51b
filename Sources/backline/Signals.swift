import Dispatch
import Glibc

/// Signals as a stream instead of an interruption, for as long as this lives.
final class Signals {
  enum Kind: Sendable {
    case stop, reload
  }

  /// INT and TERM mean stop, HUP reload.
  let stream: AsyncStream<Kind>
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Kind.self)
    self.stream = stream
    let queue = DispatchQueue(label: "backline.signals")
    for (number, kind) in [(SIGINT, Kind.stop), (SIGTERM, .stop), (SIGHUP, .reload)] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(kind) }
      source.activate()
      sources.append(source)
    }
  }
}
