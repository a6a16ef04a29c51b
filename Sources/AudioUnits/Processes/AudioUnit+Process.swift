import CUnitService
import UnitModel

/// The process of a unit that runs outside this one (`process` is not `.host`).
extension AudioUnit {
  /// The events of the unit's process, for one reader; nil for a unit in this process.
  public var processEvents: AsyncStream<ProcessEvent>? { service?.events }

  /// The identifier of the process that currently renders the unit.
  public var processIdentifier: Int? { service?.group.processNumber }

  /// The system calls refused to the unit's processes, each once: `openat /home/anna/kit.xml: it is
  /// not …`.
  package var processRefusals: [String] { service?.group.refusals ?? [] }

  /// Waits until background threads of the unit's process, such as one that reads a drum kit, have been
  /// idle for 0.3 s; a minute at most. Built-in units report when they are ready.
  package func waitForThreads() {
    if component.codePath != nil { service?.group.waitForThreads() }
  }

  /// The reason why the unit's process last ended by itself; nil if it has not. Waits briefly for
  /// the report.
  package var processTrouble: String? { service?.group.trouble }

  /// The policy of restarting and ending the process; shared by the units of a group.
  public var processPolicy: ProcessPolicy {
    get { service?.group.policy ?? ProcessPolicy() }
    set { service?.group.policy = newValue }
  }

  /// Restarts the process, even after it was given up.
  public func restartProcess() { service?.group.restart() }

  /// Recreates the unit in another process, as after a crash; does nothing for a unit in this process.
  package func renewProcess(because reason: String) { service?.group.renew(because: reason) }

  /// Sets the priority and the processor of the unit's process.
  package func schedule(_ scheduling: ProcessScheduling) { service?.group.schedule(scheduling) }

  /// Limits the time that the render thread waits for the unit's process in a cycle, nanoseconds.
  /// `period` is the time between cycles; 0 means unknown.
  ///
  /// Without a limit, `render` waits for the answer.
  public func setRenderTimeout(_ nanoseconds: Int, period: Int = 0) {
    state.withLock { $0.hasRenderTimeout = true }
    guard let service else { return }
    bl_service_link_set_timeout(
      service.link, UInt32(clamping: nanoseconds), UInt32(clamping: period))
  }

  /// Starts a real-time thread, on any processor but the render thread's, that ends waits that last
  /// too long. Without it each wait sets a timer of its own, which takes microseconds on a virtual
  /// machine.
  ///
  /// - Returns: false without permission or without another processor.
  @discardableResult
  package static func endLongWaits(priority: Int, exceptProcessor processor: Int) -> Bool {
    bl_service_wait_monitor_start(Int32(priority), Int32(processor))
  }

  /// Sets how long the render thread polls for the answer before it sleeps, nanoseconds; 0 if both
  /// share a processor.
  package func setRenderSpin(_ nanoseconds: Int) {
    if let service { bl_service_link_set_spin(service.link, UInt32(clamping: nanoseconds)) }
  }

  /// Sets how long an offline `render` waits for the unit's process, 5 s by default; at least 60 s for
  /// its first block.
  package func setOfflineTimeout(seconds: Double) {
    if let service { bl_service_link_set_offline_timeout(service.link, UInt64(seconds * 1e9)) }
  }

  /// Sets whether to render without waiting for the unit's process: the output is delayed by
  /// `maximumFramesToRender`, which `latency` includes.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit in this process.
  public func setPipelined(_ isPipelined: Bool) throws(AudioUnitError) {
    guard let service else { throw error("only a unit in another process can be pipelined") }
    try whileIdle("pipelined") { _ in
      bl_service_link_set_pipelined(service.link, isPipelined)
    }
  }

  /// Lets the unit's process pass its output directly to the process of `next`, whose input it is.
  package func connectOutput(to next: AudioUnit) {
    if let service, let following = next.service { service.group.connect(service, to: following) }
  }

  /// Counts of requests to its process and answers from it; nil for a unit in this process.
  public var processStatistics: ProcessStatistics? {
    service.map { ProcessStatistics($0.statistics) }
  }

  /// The mechanisms that the system does not have to confine units' processes; nil where it has all,
  /// or before the first process was started.
  package static var missingConfinement: String? { UnitProcess.missingConfinement }
}
