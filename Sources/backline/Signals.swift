import Dispatch
import Glibc
import Synchronization

/// Signals as news instead of an interruption, for as long as this lives.
///
/// INT, TERM, QUIT and HUP ask for an orderly stop. Where that takes longer than a second, as with
/// a server that stands still, asking once more ends the program at once; after HUP nobody is there
/// to ask, so it ends by itself. A program without a terminal, which none can be closed of, takes HUP
/// as services do: as the wish to read its rack again.
final class Signals {
  enum Kind: Sendable {
    case stop, reload
  }

  /// What is asked for, as it comes in.
  let stream: AsyncStream<Kind>
  private let stopping = Stopping()
  private var sources: [any DispatchSourceSignal] = []

  /// Has a stop been asked for?
  var stopIsAsked: Bool { stopping.requests.load(ordering: .relaxed) > 0 }

  /// - Parameters:
  ///   - reloads: takes USR1, and without a terminal HUP, as the wish to read the rack again.
  ///   - suspend: puts the terminal in order before TSTP makes the process stand still.
  init(reloads: Bool = false, suspend: (@Sendable () -> Void)? = nil) {
    let (stream, continuation) = AsyncStream.makeStream(of: Kind.self)
    self.stream = stream
    let queue = DispatchQueue(label: "backline.signals")
    func handle(_ number: Int32, _ work: @escaping @Sendable () -> Void) {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: work)
      source.activate()
      sources.append(source)
    }
    let hangUpReloads = reloads && !Self.endsWithTerminal
    for number in [SIGINT, SIGTERM, SIGQUIT] + (hangUpReloads ? [] : [SIGHUP]) {
      handle(number) { [stopping] in
        stopping.ask(by: number, on: queue)
        continuation.yield(.stop)
      }
    }
    for number in (reloads ? [SIGUSR1] : []) + (hangUpReloads ? [SIGHUP] : []) {
      handle(number) { continuation.yield(.reload) }
    }
    if let suspend {
      handle(SIGTSTP) {
        suspend()
        kill(getpid(), SIGSTOP)
      }
    }
  }

  /// Is there a terminal that may be closed, and was the program not told to outlive it (nohup)?
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

/// How urgently a stop is asked for.
private final class Stopping: Sendable {
  let requests = Atomic(0)
  private let isLate = Atomic(false)

  /// What an orderly stop may take. Some shells and terminals send a signal twice, which must not
  /// cut a fade-out.
  private static let patience = DispatchTimeInterval.seconds(1)
  private static let patienceAlone = DispatchTimeInterval.seconds(5)

  func ask(by number: Int32, on queue: DispatchQueue) {
    let count = requests.add(1, ordering: .relaxed).newValue
    if count == 1 {
      queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
        isLate.store(true, ordering: .relaxed)
        if requests.load(ordering: .relaxed) > 1 { leave() }
        Terminal.complain("stopping; once more to leave at once")
      }
    } else if number != SIGHUP && isLate.load(ordering: .relaxed) {
      leave()
    }
    if number == SIGHUP {
      queue.asyncAfter(deadline: .now() + Self.patienceAlone) { [self] in leave() }
    }
  }

  private func leave() -> Never {
    Terminal.showCursor()
    _exit(130)
  }
}
