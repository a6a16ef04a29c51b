import Dispatch
import Glibc
import Synchronization

/// A receiver of signals, which delivers requests for as long as the object lives.
///
/// INT, TERM, QUIT and HUP request an orderly stop. If the stop takes longer than a second, as with a server that
/// hangs, a second signal ends the program at once. After TERM the program ends within 10 s, and after HUP of a
/// closed terminal within 5 s. Without a terminal HUP requests a reload, as for other services.
final class Signals {
  enum Kind: Sendable {
    case stop, reload
    /// Ctrl-Z, which must not stop a JACK client.
    case suspend
  }

  /// The requests in order.
  let stream: AsyncStream<Kind>
  private let stopping = Stopping()
  private var sources: [any DispatchSourceSignal] = []
  /// A bit for each signal that was received before Dispatch could deliver it.
  private static let early = Atomic(0)

  /// Whether a stop has been requested.
  var stopIsAsked: Bool { askedToStop() }
  /// Whether a stop has been requested, as a function for other threads.
  var askedToStop: @Sendable () -> Bool {
    { [stopping] in stopping.requests.load(ordering: .relaxed) > 0 }
  }

  /// - Parameter isPlaying: whether USR1, and without a terminal HUP, requests a reload, and TSTP is
  ///   delivered.
  init(isPlaying: Bool = false) {
    let (stream, continuation) = AsyncStream.makeStream(of: Kind.self)
    self.stream = stream
    let queue = DispatchQueue(label: "backline.signals")
    // Initialised before a signal handler needs it.
    Self.early.store(0, ordering: .relaxed)
    func handle(_ number: Int32, _ work: @escaping @Sendable () -> Void) {
      signal(number) { Signals.early.bitwiseOr(1 << $0, ordering: .relaxed) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: work)
      // Dispatch registers the source later.
      source.setRegistrationHandler {
        let bit = 1 << number
        if Self.early.bitwiseAnd(~bit, ordering: .relaxed).oldValue & bit != 0 { work() }
      }
      source.activate()
      sources.append(source)
    }
    let hangUpReloads = isPlaying && !Self.endsWithTerminal
    for number in [SIGINT, SIGTERM, SIGQUIT] + (hangUpReloads ? [] : [SIGHUP]) {
      handle(number) { [stopping] in
        stopping.ask(by: number, on: queue)
        continuation.yield(.stop)
      }
    }
    for number in (isPlaying ? [SIGUSR1] : []) + (hangUpReloads ? [SIGHUP] : []) {
      handle(number) { continuation.yield(.reload) }
    }
    if isPlaying { handle(SIGTSTP) { continuation.yield(.suspend) } }
  }

  /// Whether closing the terminal ends the program: the program has a terminal, and nohup was not used.
  private static var endsWithTerminal: Bool {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    // SIG_IGN
    if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { return false }
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }
}

/// The counter of requests to stop, which ends the program if an orderly stop takes too long.
private final class Stopping: Sendable {
  let requests = Atomic(0)
  private let isLate = Atomic(false)

  /// The time in which a second signal does not end the program. Some shells and terminals send a signal twice,
  /// which must not cut a fade-out.
  private static let timeout = DispatchTimeInterval.seconds(1)
  /// The timeouts of signals that nobody repeats.
  private static let timeouts = [
    SIGHUP: DispatchTimeInterval.seconds(5), SIGTERM: DispatchTimeInterval.seconds(10),
  ]

  func ask(by number: Int32, on queue: DispatchQueue) {
    let count = requests.add(1, ordering: .relaxed).newValue
    if count == 1 {
      queue.asyncAfter(deadline: .now() + Self.timeout) { [self] in
        isLate.store(true, ordering: .relaxed)
        if requests.load(ordering: .relaxed) > 1 { leave(number) }
        Terminal.complain("stopping; press Ctrl-C again to leave at once")
      }
    } else if number != SIGHUP && isLate.load(ordering: .relaxed) {
      leave(number)
    }
    if let timeout = Self.timeouts[number] {
      queue.asyncAfter(deadline: .now() + timeout) { [self] in leave(number) }
    }
  }

  private func leave(_ number: Int32) -> Never {
    Terminal.restore()
    _exit(128 + number)
  }
}
