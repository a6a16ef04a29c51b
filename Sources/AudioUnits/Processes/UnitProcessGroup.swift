import AsyncSupport
import CUnitService
import Dispatch
import Glibc
import UnitModel

/// The units that share a process, usually a single one. Starts the process, and a new one when it
/// has ended.
final class UnitProcessGroup: Sendable {
  let name: String
  private let program: String
  /// The queue that starts and ends the process and attaches units, one after the other.
  private let queue = DispatchQueue(label: "backline.unit-process", qos: .userInitiated)
  private let state = Guarded(State())

  private struct State: Sendable {
    var units: [UnitService] = []
    var process: UnitProcess?
    var files = UnitProcess.FileAccess()
    var deaths: [ContinuousClock.Instant] = []
    var trouble: String?
    /// The refused system calls; each process reports 64 at most.
    var refusals: [String] = []
    /// The time since which the process has not answered calls.
    var deadSince: ContinuousClock.Instant?
    var hasGivenUp = false
    var policy = ProcessPolicy()
    var scheduling = ProcessScheduling()
  }

  init(name: String, program: String) {
    self.name = name
    self.program = program
  }

  private struct Weak: Sendable { weak var group: UnitProcessGroup? }
  private static let named = Guarded<[String: Weak]>([:])

  /// Returns the group of that name; creates it if necessary.
  static func named(_ name: String, program: String) -> UnitProcessGroup {
    named.withLock { groups in
      if let group = groups[name]?.group { return group }
      let group = UnitProcessGroup(name: name, program: program)
      groups[name] = Weak(group: group)
      return group
    }
  }

  var processNumber: Int? { state.withLock { $0.process.map { Int($0.number) } } }
  var policy: ProcessPolicy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// The reason why the process last ended by itself. Waits briefly for the guardian's report.
  var trouble: String? {
    for _ in 0..<20 where state.withLock({ $0.trouble == nil }) { usleep(10_000) }
    return queue.sync { state.withLock { $0.trouble } }
  }

  var refusals: [String] { state.withLock(\.refusals) }

  /// Waits until the threads of the process have been idle for 0.3 s, a minute at most.
  func waitForThreads() {
    guard let process = state.withLock(\.process) else { return }
    var (ticks, rests) = (process.work.ticks, 0)
    for _ in 0..<600 where process.threadCount > UnitProcess.ownThreadCount && rests < 3 {
      usleep(100_000)
      let now = process.work
      rests = now.ticks == ticks && !now.isReading ? rests + 1 : 0
      ticks = now.ticks
    }
  }

  /// Adds a unit and waits until the process has loaded it.
  ///
  /// - Throws: `AudioUnitError`: the process cannot be started, or cannot load the unit.
  func join(_ unit: UnitService) throws(AudioUnitError) {
    try queue.sync { Result { () throws(AudioUnitError) in try add(unit) } }.get()
  }

  /// Removes a unit and then runs `finish`, without waiting.
  func leave(_ unit: UnitService, then finish: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      let killer = state.withLock { state in
        state.units.allSatisfy { $0 === unit } ? state.process : nil
      }.map { process in
        // Kill a process that may be loading a file for minutes.
        DispatchWorkItem { process.kill(because: "its last unit has left") }
      }
      if let killer {
        DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: killer)
      }
      unit.leave()
      killer?.cancel()
      let isEmpty = state.withLock { state in
        state.units.removeAll { $0 === unit }
        return state.units.isEmpty
      }
      if isEmpty { end(because: "its last unit has left") }
      finish()
    }
  }

  /// Lets the units read files and folders; if the process may not read them yet, restarts it and waits.
  func allow(reading paths: [String]) {
    queue.sync {
      let new = state.withLock { state in
        let new = paths.filter { !state.files.covers($0) }
        state.files.readable.formUnion(new)
        return new
      }
      guard let first = new.first else { return }
      end(because: "it needs \(first)")
      restart(reportingSince: nil)
    }
  }

  /// Restarts the process, even after it was given up, without waiting.
  func restart() {
    queue.async { [self] in
      state.withLock { ($0.deaths, $0.hasGivenUp) = ([], false) }
      end(because: "it is restarted")
      restart(reportingSince: .now)
    }
  }

  /// Kills the process, which counts as a death, without waiting.
  func renew(because reason: String) {
    queue.async { [self] in state.withLock(\.process)?.kill(because: reason) }
  }

  /// Lets the process of `next` read the output of `unit`, without waiting.
  func connect(_ unit: UnitService, to next: UnitService) {
    queue.async { unit.connectOutput(to: next) }
  }

  func schedule(_ scheduling: ProcessScheduling) {
    state.withLock { $0.scheduling = scheduling }
    queue.async { self.applyScheduling() }
  }

  // MARK: - On the queue

  private func add(_ unit: UnitService) throws(AudioUnitError) {
    let (isCovered, others) = state.withLock { state in
      let before = state.files
      state.files.readable.formUnion(unit.files.readable)
      state.files.writable.formUnion(unit.files.writable)
      let used = Set(state.units.map(\.lane))
      unit.lane = (0...used.count).first { !used.contains($0) } ?? used.count
      return (state.files == before, state.units)
    }
    if !isCovered { end(because: "another unit joins it that needs other files") }
    let before = state.withLock { $0.process }
    if let process = try runningProcess() {
      if process !== before { attach(others, to: process) }
      do throws(AudioUnitError) {
        try unit.attach(to: process)
      } catch {
        if others.isEmpty { end(because: "it cannot load its unit") }
        throw error
      }
    }
    state.withLock { $0.units.append(unit) }
    applyScheduling()
    for other in others { other.reconnect() }
  }

  /// Returns the running process; nil if it has been given up.
  private func runningProcess() throws(AudioUnitError) -> UnitProcess? {
    let (process, hasGivenUp, files) = state.withLock { ($0.process, $0.hasGivenUp, $0.files) }
    if let process, !process.isDead { return process }
    if hasGivenUp { return nil }
    let started = try UnitProcess.start(program, name: name, files: files) {
      [weak self] process, event in
      switch event {
      case .isRunning: self?.check(process)
      case .refused(let call): self?.receiveRefusal(call)
      case .ended(let reason): self?.receiveEnd(of: process, reason)
      }
    }
    state.withLock { ($0.process, $0.deadSince) = (started, nil) }
    return started
  }

  private func applyScheduling() {
    let (process, scheduling) = state.withLock { ($0.process, $0.scheduling) }
    guard let process else { return }
    let thread = bl_service_process_thread(process.pointer)
    // Check that the thread belongs to the process, which named it.
    guard thread != 0, access("/proc/\(process.number)/task/\(thread)", F_OK) == 0 else { return }
    _ = bl_service_place_thread(
      pid_t(bitPattern: thread), Int32(scheduling.priority),
      scheduling.processor.map { Int32($0) } ?? -1)
    bl_service_process_set_spin(process.pointer, UInt32(scheduling.spin))
  }

  /// Ends the process without a report.
  private func end(because reason: String) {
    let (process, units) = state.withLock { state in
      defer { state.process = nil }
      return (state.process, state.units)
    }
    guard let process else { return }
    // Kill it first, since a unit may be loading a file for minutes.
    process.kill(because: reason)
    for unit in units { unit.detach() }
  }

  private func restart(reportingSince start: ContinuousClock.Instant?) {
    let (units, isRunning) = state.withLock { ($0.units, $0.process != nil) }
    guard !units.isEmpty, !isRunning else { return }
    do {
      guard let process = try runningProcess() else { return }
      attach(units, to: process)
      applyScheduling()
      for unit in units { unit.reconnect() }
      if let start {
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        report(.restarted(milliseconds: Int(time)))
      }
    } catch {
      report(.failed(reason: error.reason))
      restartLater(since: start ?? .now)
    }
  }

  private func attach(_ units: [UnitService], to process: UnitProcess) {
    for unit in units {
      do {
        try unit.attach(to: process)
      } catch {
        unit.report(.failed(reason: error.reason))
      }
    }
  }

  /// Counts a death, and restarts the process: at once after the first two deaths, after growing
  /// delays then, and not at all after too many.
  private func restartLater(since moment: ContinuousClock.Instant) {
    let (deaths, hasGivenUp) = state.withLock { state in
      let now = ContinuousClock.now
      state.deaths.removeAll { now - $0 > .seconds(state.policy.window) }
      state.deaths.append(now)
      state.hasGivenUp = state.deaths.count > state.policy.restarts
      return (state.deaths.count, state.hasGivenUp)
    }
    if hasGivenUp { return report(.givenUp(deaths: deaths)) }
    let delay = deaths < 3 ? 0 : 50 << min(deaths - 3, 5)
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      self?.restart(reportingSince: moment)
    }
  }

  // MARK: - On the guardian's thread

  private func receiveRefusal(_ call: String) {
    state.withLock { if !$0.refusals.contains(call) { $0.refusals.append(call) } }
    report(.refused(call))
  }

  private func receiveEnd(of process: UnitProcess, _ reason: String) {
    queue.async { [self] in
      let units = state.withLock { state -> [UnitService]? in
        guard state.process === process else { return nil }
        state.process = nil
        return state.units
      }
      guard let units else { return }
      let now = ContinuousClock.now
      for unit in units { unit.detach() }
      var crash = process.crashReport
      for unit in units {
        guard let library = unit.libraryPath else { continue }
        crash = crash?.located(in: library, called: unit.name)
      }
      let stack = crash?.stack ?? []
      state.withLock { $0.trouble = reason + CrashReport.location(in: stack) }
      report(.ended(reason: reason, stack: stack))
      restartLater(since: now)
    }
  }

  /// Kills a process that hangs or was stopped: one that leaves cycles or calls unanswered.
  private func check(_ process: UnitProcess) {
    let now = ContinuousClock.now
    let (isCurrent, units, timeout, deadSince) = state.withLock { state in
      let isCurrent = state.process === process
      if isCurrent { state.deadSince = process.isDead ? state.deadSince ?? now : nil }
      return (isCurrent, state.units, state.policy.timeout, state.deadSince)
    }
    guard isCurrent else { return }
    if process.threadCount > UnitProcess.maximumThreadCount {
      process.kill(because: "it started more than \(UnitProcess.maximumThreadCount) threads")
    }
    if units.contains(where: { $0.hangs(for: .seconds(timeout), at: now) }) {
      process.kill(because: "it did not answer for \(Int(timeout * 1000)) ms")
    }
    if let deadSince, now - deadSince > .seconds(1) {
      process.kill(because: "it does not answer calls")
    }
  }

  private func report(_ event: ProcessEvent) {
    for unit in state.withLock({ $0.units }) { unit.report(event) }
  }
}
