/// What happens to a unit that has a process of its own.
public enum ProcessEvent: Sendable, Equatable, CustomStringConvertible {
  /// The process has ended, and the unit is bypassed. `stack`: of a crash, innermost frame first.
  case ended(reason: String, stack: [String])
  /// Another renders the unit, with the parameters and properties that it had; after so many
  /// milliseconds.
  case restarted(milliseconds: Int)
  /// The process has ended too often: the unit stays bypassed until `restartProcess` is called.
  case givenUp(deaths: Int)
  /// The unit could not be brought back.
  case failed(reason: String)
  /// The unit wanted what units may not do.
  case refused(String)

  public var description: String {
    switch self {
    case .ended(let reason, let stack):
      reason + (stack.isEmpty ? "" : ", in " + stack.prefix(3).joined(separator: " < "))
        + "; it is bypassed meanwhile"
    case .restarted(let milliseconds): "plays again, after \(milliseconds) ms"
    case .givenUp(let deaths):
      "was given up: its process ended \(deaths) times; it stays bypassed until “backline ctl"
        + " restart” or a reload of the rack"
    case .failed(let reason): "cannot be restarted: \(reason)"
    case .refused(let call): "was refused \(call)"
    }
  }
}

/// How a unit's process is kept.
public struct ProcessPolicy: Sendable, Equatable {
  /// Deaths within `window` after which it is not started again.
  public var restarts = 5
  /// Seconds.
  public var window = 30.0
  /// Seconds that it may leave cycles unanswered before it counts as hung, and is ended.
  public var patience = 0.3

  public init() {}
}

/// Where and how urgently a unit's process renders.
public struct ProcessScheduling: Sendable, Equatable {
  /// SCHED_FIFO, below the host's own; 0 for the usual.
  public var priority: Int
  /// Nil for any.
  public var processor: Int?
  /// Nanoseconds to look for work before it sleeps; 0 where it shares the host's processor.
  public var spin: Int

  public init(priority: Int = 0, processor: Int? = nil, spin: Int = 0) {
    self.priority = priority
    self.processor = processor
    self.spin = spin
  }
}
