import CUnitService

/// What has come to pass between a unit's process and the render thread since the unit was made.
public struct ProcessStatistics: Sendable, Equatable {
  /// Cycles that its process was asked to render.
  public var requests: Int
  /// Cycles in which the answer did not come in time.
  public var late: Int
  /// Cycles without a process, or with one that was still busy with an earlier one.
  public var absent: Int
  /// Cycles that came from another unit's process.
  public var chained: Int
  /// Answers that could not be so, and samples beyond all measure.
  public var nonsense: Int
  /// Events for which there was no room.
  public var eventsLost: Int
  /// That the unit itself took in the last cycle.
  public var nanoseconds: Int

  init(_ statistics: bl_service_statistics) {
    requests = Int(statistics.requests)
    late = Int(statistics.late)
    absent = Int(statistics.absent)
    chained = Int(statistics.chained)
    nonsense = Int(statistics.nonsense)
    eventsLost = Int(statistics.events_lost)
    nanoseconds = Int(statistics.nanoseconds)
  }
}
