import CUnitService
import UnitModel

/// A unit that runs in a process of its own (`process` is not `.host`).
extension AudioUnit {
  /// What happens to its process, to one reader; nil for a unit in this one.
  public var processEvents: AsyncStream<ProcessEvent>? { service?.events }

  /// Of the process that renders it now, as the system numbers processes.
  public var processIdentifier: Int? { service?.processNumber }

  /// Why its process last ended, against our will; nil where it has not. Waits until that is known.
  package var processTrouble: String? { service?.trouble }

  /// How its process is kept, which is that of the others of its group, too.
  public var processPolicy: ProcessPolicy {
    get { service?.policy ?? ProcessPolicy() }
    set { service?.policy = newValue }
  }

  /// Starts its process anew, also one that has been given up.
  public func restartProcess() { service?.restart() }

  /// Where and how urgently its process renders from now on.
  public func schedule(_ scheduling: ProcessScheduling) { service?.schedule(scheduling) }

  /// How long the render thread waits for it in one cycle, and how far cycles are apart (0: not
  /// known). Nanoseconds
  ///
  /// Until it is set, `render` waits for the answer as long as it takes.
  public func setRenderPatience(_ nanoseconds: Int, period: Int = 0) {
    state.withLock { $0.hasRenderTimeout = true }
    service?.setPatience(nanoseconds, period: period)
  }

  /// Has a thread of a real-time priority, on any processor but the render thread's, end waits that
  /// last longer than that: without, each wait sets a timer of its own, which can be dear on a
  /// virtual machine.
  ///
  /// - Returns: false where that cannot be: without permission, or another processor.
  @discardableResult
  public static func endLongWaits(priority: Int, exceptProcessor processor: Int) -> Bool {
    bl_service_lookout_start(Int32(priority), Int32(processor))
  }

  /// For how much of this it looks for the answer instead of sleeping; 0 where both share a processor.
  /// Nanoseconds
  public func setRenderSpin(_ nanoseconds: Int) { service?.setSpin(nanoseconds) }

  /// Never waits for its process: what it renders is heard `maximumFramesToRender` later, which
  /// `latency` tells.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit in this process.
  public func setPipelined(_ isPipelined: Bool) throws(AudioUnitError) {
    guard let service else { throw error("only a unit in another process can be pipelined") }
    try whileIdle("pipelined") { _ in service.setPipelined(isPipelined) }
  }

  /// Lets its process hand on to the next unit's, where that one has this one's output as its input.
  package func connectOutput(to next: AudioUnit) {
    if let service, let following = next.service { service.connectOutput(to: following) }
  }

  /// What has come to pass on the way to its process; nil for a unit in this one.
  public var processStatistics: ProcessStatistics? {
    service.map { ProcessStatistics($0.statistics) }
  }

  /// What the system lacks to confine units' processes, for people; nil where it lacks nothing, or
  /// before the first was started.
  public static var lackingConfinement: String? { UnitProcess.lackingConfinement }
}
