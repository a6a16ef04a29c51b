import CUnitService

/// An event in the life of a unit's own process.
public enum ProcessEvent: Sendable, Equatable, CustomStringConvertible {
  /// The process has ended, and the unit is bypassed. `stack`: a crash's frames, innermost first.
  case ended(reason: String, stack: [String])
  /// Another process renders the unit, with the same parameters and properties, this many
  /// milliseconds after the last one ended.
  case restarted(milliseconds: Int)
  /// The process has ended too often: the unit stays bypassed until `restartProcess` is called.
  case givenUp(deaths: Int)
  /// The unit could not be loaded again.
  case failed(reason: String)
  /// A system call that units may not make was refused.
  case refused(String)

  public var description: String {
    switch self {
    case .ended(let reason, let stack):
      reason + CrashReport.location(in: stack) + "; it is bypassed meanwhile"
    case .restarted(let milliseconds): "plays again, after \(milliseconds) ms"
    case .givenUp(let deaths):
      "was given up: its process ended \(deaths) times; it stays bypassed until “backline ctl"
        + " restart” or a reload of the rack"
    case .failed(let reason): "cannot be restarted: \(reason)"
    case .refused(let call):
      "was refused \(call)"
        + (call.hasSuffix("own files") ? "; “files” in the rack lets a unit read more" : "")
    }
  }
}

/// The policy of restarting and ending a unit's process.
public struct ProcessPolicy: Sendable, Equatable {
  /// The number of deaths within `window` after which the process is not restarted.
  public var restarts = 5
  /// The time window for `restarts`, seconds.
  public var window = 30.0
  /// The time that the process may leave cycles unanswered before it counts as hung and is killed,
  /// seconds.
  public var timeout = 0.3

  public init() {}
}

/// The priority and the processor of a unit's process.
package struct ProcessScheduling: Sendable, Equatable {
  /// The SCHED_FIFO priority, below the host's own; 0 for SCHED_OTHER.
  package var priority: Int
  /// The processor; nil for any.
  package var processor: Int?
  /// The time to poll for work before sleeping, nanoseconds; 0 if it shares the host's processor.
  package var spin: Int

  package init(priority: Int = 0, processor: Int? = nil, spin: Int = 0) {
    self.priority = priority
    self.processor = processor
    self.spin = spin
  }
}

/// Counts of requests and answers between the render thread and a unit's process, since the unit was
/// created.
public struct ProcessStatistics: Sendable, Equatable {
  /// Cycles that the process was asked to render.
  public var requests: Int
  /// Cycles in which the answer did not come in time.
  public var late: Int
  /// Cycles without a process, or with one that was still busy with an earlier cycle.
  public var absent: Int
  /// Cycles whose input came straight from another unit's process.
  public var chained: Int
  /// Answers with impossible content or samples out of range.
  public var invalid: Int
  /// Events that did not fit into the request or the answer.
  public var eventsLost: Int
  /// The unit's own render time in the last cycle.
  public var nanoseconds: Int

  init(_ statistics: bl_service_statistics) {
    requests = Int(statistics.requests)
    late = Int(statistics.late)
    absent = Int(statistics.absent)
    chained = Int(statistics.chained)
    invalid = Int(statistics.invalid)
    eventsLost = Int(statistics.events_lost)
    nanoseconds = Int(statistics.nanoseconds)
  }
}
