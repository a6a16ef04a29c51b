import CUnitService
import UnitModel

/// A unit in a process of its own (`process` is not `.host`).
extension AudioUnit {
  /// The events of its process, for one reader; nil for a unit in this process.
  public var processEvents: AsyncStream<ProcessEvent>? { service?.events }

  /// The number of the process that renders it now.
  public var processIdentifier: Int? { service?.group.processNumber }

  /// What its processes were refused, each once: `openat /home/anna/kit.xml: it is not …`.
  package var processRefusals: [String] { service?.group.refusals ?? [] }

  /// Waits until its process has done what it does in threads of its own, such as reading a drum kit: until
  /// it has rested for 0.3 s, a minute at most. Built-in units say when they are ready.
  package func waitForThreads() {
    if component.codePath != nil { service?.group.waitForThreads() }
  }

  /// Why its process last ended by itself; nil where it has not. Waits a moment for that news.
  package var processTrouble: String? { service?.group.trouble }

  /// When its process is restarted or ended; shared by the units of a group.
  public var processPolicy: ProcessPolicy {
    get { service?.group.policy ?? ProcessPolicy() }
    set { service?.group.policy = newValue }
  }

  /// Restarts its process, also after it was given up.
  public func restartProcess() { service?.group.restart() }

  /// Makes the unit anew in another process, as after a crash; does nothing for a unit in this process.
  package func renewProcess(because reason: String) { service?.group.renew(because: reason) }

  /// Sets the priority and the processor of its process.
  package func schedule(_ scheduling: ProcessScheduling) { service?.group.schedule(scheduling) }

  /// Limits the time that the render thread waits for its process in a cycle, in nanoseconds.
  /// `period` is the time from cycle to cycle; 0: not known.
  ///
  /// Without a limit, `render` waits for the answer.
  public func setRenderTimeout(_ nanoseconds: Int, period: Int = 0) {
    state.withLock { $0.hasRenderTimeout = true }
    guard let service else { return }
    bl_service_link_set_timeout(
      service.link, UInt32(clamping: nanoseconds), UInt32(clamping: period))
  }

  /// Starts a thread of a real-time priority, on any processor but the render thread's, that ends
  /// waits which last too long. Without it each wait sets a timer of its own, which takes microseconds
  /// on a virtual machine.
  ///
  /// - Returns: false without permission or without another processor.
  @discardableResult
  package static func endLongWaits(priority: Int, exceptProcessor processor: Int) -> Bool {
    bl_service_wait_monitor_start(Int32(priority), Int32(processor))
  }

  /// How long the render thread polls for the answer before it sleeps, in nanoseconds; 0 where both
  /// share a processor.
  package func setRenderSpin(_ nanoseconds: Int) {
    if let service { bl_service_link_set_spin(service.link, UInt32(clamping: nanoseconds)) }
  }

  /// Sets how long an offline `render` waits for its process, 5 s where not set; for its first block 60 s
  /// at least.
  package func setPatience(seconds: Double) {
    if let service { bl_service_link_set_patience(service.link, UInt64(seconds * 1e9)) }
  }

  /// Whether to render without waiting for its process: the output is `maximumFramesToRender` late,
  /// which `latency` includes.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit in this process.
  public func setPipelined(_ isPipelined: Bool) throws(AudioUnitError) {
    guard let service else { throw error("only a unit in another process can be pipelined") }
    try whileIdle("pipelined") { _ in
      bl_service_link_set_pipelined(service.link, isPipelined)
    }
  }

  /// Lets its process hand on to the process of `next`, whose input is this unit's output.
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
