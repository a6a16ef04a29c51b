import AsyncSupport
import CUnitService
import Dispatch
import Glibc
import UnitModel

/// Units that share a process, mostly one alone: has it run, and another when it has ended.
final class UnitProcessGroup: Sendable {
  let name: String
  private let program: String
  /// Starts, ends and whatever waits for the process, one after the other.
  private let queue = DispatchQueue(label: "backline.unit-process", qos: .userInitiated)
  private let state: Guarded<State>

  private struct State: Sendable {
    var members: [ProcessMember] = []
    var process: UnitProcess?
    var confines = UnitProcess.Confines()
    var deaths: [ContinuousClock.Instant] = []
    var trouble: String?
    /// Since when the process has been seen not to answer calls.
    var deadSince: ContinuousClock.Instant?
    var hasGivenUp = false
    var policy = ProcessPolicy()
    var scheduling = ProcessScheduling()
  }

  init(name: String, program: String) {
    self.name = name
    self.program = program
    state = Guarded(State())
  }

  private static let named = Guarded<[String: Weak]>([:])

  private struct Weak: Sendable { weak var group: UnitProcessGroup? }

  /// The group of that name; made where there is none.
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

  /// Why the process last ended, against our will.
  var trouble: String? {
    // A death may just be on its way to us.
    for _ in 0..<20 where state.withLock({ $0.trouble == nil }) { usleep(10_000) }
    return queue.sync { state.withLock { $0.trouble } }
  }

  /// Takes in a unit and has it rendered; waits for that.
  ///
  /// - Throws: `AudioUnitError`: the process cannot be started, or cannot load the unit.
  func join(_ member: ProcessMember) throws(AudioUnitError) {
    let result = queue.sync {
      Result { () throws(AudioUnitError) in try takeIn(member) }
    }
    try result.get()
  }

  /// Removes a unit and then runs `end`; does not wait for that.
  func leave(_ member: ProcessMember, then finish: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      member.leave()
      defer { finish() }
      let isEmpty = state.withLock { state in
        state.members.removeAll { $0 === member }
        return state.members.isEmpty
      }
      if isEmpty { end(because: "it is needed no more") }
    }
  }

  /// Lets the units read a file; starts the process anew where it may not yet.
  func allow(reading path: String) {
    queue.sync {
      let isCovered = state.withLock { state in
        if state.confines.covers(path) { return true }
        state.confines.readable.insert(path)
        return false
      }
      guard !isCovered else { return }
      end(because: "it needs \(path)")
      restart(tellingSince: nil)
    }
  }

  /// Starts the process anew, also one that was given up; does not wait for that.
  func restart() {
    queue.async { [self] in
      state.withLock { state in
        state.deaths = []
        state.hasGivenUp = false
      }
      end(because: "it is started anew")
      restart(tellingSince: .now)
    }
  }

  /// Lets the process of `next` read the output of `member`; does not wait for that.
  func connect(_ member: ProcessMember, to next: ProcessMember) {
    queue.async { member.connectOutput(to: next) }
  }

  func schedule(_ scheduling: ProcessScheduling) {
    state.withLock { $0.scheduling = scheduling }
    queue.async { self.place() }
  }

  // MARK: - On the queue

  private func takeIn(_ member: ProcessMember) throws(AudioUnitError) {
    let (isCovered, others) = state.withLock { state in
      let before = state.confines
      state.confines.readable.formUnion(member.readable)
      state.confines.writable.formUnion(member.writable)
      let taken = Set(state.members.map(\.lane))
      member.lane = (0...taken.count).first { !taken.contains($0) } ?? taken.count
      return (state.confines == before || state.process == nil, state.members)
    }
    if !isCovered { end(because: "another unit joins it that needs other files") }
    let before = state.withLock { $0.process }
    if let process = try runningProcess() {
      if process !== before { attach(others, to: process) }
      do throws(AudioUnitError) {
        try member.attach(to: process)
      } catch {
        if others.isEmpty { end(because: "it cannot load its unit") }
        throw error
      }
    }
    state.withLock { $0.members.append(member) }
    place()
    ProcessMember.reconnect(others)
  }

  /// Nil where it has been given up.
  private func runningProcess() throws(AudioUnitError) -> UnitProcess? {
    let (process, hasGivenUp, confines) = state.withLock {
      ($0.process, $0.hasGivenUp, $0.confines)
    }
    if let process, !process.isDead { return process }
    if hasGivenUp { return nil }
    let listener = UnitProcess.Listener(
      look: { [weak self] in self?.look(at: $0) },
      refusal: { [weak self] refusal in
        self?.tell(.refused(refusal))
      },
      end: { [weak self] process, reason in
        guard let self else { return }
        queue.async { self.take(endOf: process, reason) }
      })
    let started = try UnitProcess.start(
      program, name: name, confines: confines, listener: listener)
    state.withLock { state in
      state.process = started
      state.deadSince = nil
    }
    return started
  }

  private func place() {
    let (process, scheduling) = state.withLock { ($0.process, $0.scheduling) }
    guard let process else { return }
    let thread = bl_service_process_thread(process.pointer)
    // The process says which thread that is: it may be no other's.
    guard thread != 0, access("/proc/\(process.number)/task/\(thread)", F_OK) == 0 else { return }
    _ = bl_service_place_thread(
      pid_t(bitPattern: thread), Int32(scheduling.priority),
      scheduling.processor.map { Int32($0) } ?? -1)
    bl_service_process_set_spin(process.pointer, UInt32(scheduling.spin))
  }

  /// Ends the process on our own account; nobody is told.
  private func end(because reason: String) {
    let (process, members) = state.withLock { state in
      defer { state.process = nil }
      return (state.process, state.members)
    }
    guard let process else { return }
    for member in members { member.detach() }
    process.kill(because: reason)
  }

  private func take(endOf process: UnitProcess, _ reason: String) {
    let now = ContinuousClock.now
    let members = state.withLock { state -> [ProcessMember]? in
      guard state.process === process else { return nil }
      state.process = nil
      state.trouble = reason
      return state.members
    }
    guard let members else { return }
    for member in members { member.detach() }
    tell(.ended(reason: reason, stack: process.stack))
    again(since: now)
  }

  private func restart(tellingSince begin: ContinuousClock.Instant?) {
    let (members, isRunning) = state.withLock { ($0.members, $0.process != nil) }
    guard !members.isEmpty, !isRunning else { return }
    do {
      guard let process = try runningProcess() else { return }
      attach(members, to: process)
      place()
      ProcessMember.reconnect(members)
      if let begin {
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        tell(.restarted(milliseconds: Int(time)))
      }
    } catch {
      tell(.failed(reason: error.reason))
      again(since: begin ?? .now)
    }
  }

  private func attach(_ members: [ProcessMember], to process: UnitProcess) {
    for member in members {
      do {
        try member.attach(to: process)
      } catch {
        member.tell(.failed(reason: error.reason))
      }
    }
  }

  /// Counts a death, and has another process follow, sooner or later or not at all.
  private func again(since moment: ContinuousClock.Instant) {
    let deaths = state.withLock { state -> Int in
      let now = ContinuousClock.now
      state.deaths.removeAll { now - $0 > .seconds(state.policy.window) }
      state.deaths.append(now)
      state.hasGivenUp = state.deaths.count > state.policy.restarts
      return state.deaths.count
    }
    if state.withLock({ $0.hasGivenUp }) {
      tell(.givenUp(deaths: deaths))
      return
    }
    // At once after the first death; ever later where one follows the other.
    let delay = deaths < 3 ? 0 : 50 << min(deaths - 3, 5)
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      self?.restart(tellingSince: moment)
    }
  }

  // MARK: - On the warden's thread

  /// A process that takes no more cycles though it is asked to is ended: it hangs, or was stopped. So
  /// is one that does not answer calls.
  private func look(at process: UnitProcess) {
    let now = ContinuousClock.now
    let (isOurs, members, patience) = state.withLock {
      ($0.process === process, $0.members, $0.policy.patience)
    }
    guard isOurs else { return }
    if process.threadCount > UnitProcess.maximumThreadCount {
      process.kill(because: "it started more than \(UnitProcess.maximumThreadCount) threads")
    }
    if members.contains(where: { $0.hangs(for: .seconds(patience), at: now) }) {
      process.kill(because: "it did not answer for \(Int(patience * 1000)) ms")
    }
    let deadSince = state.withLock { state -> ContinuousClock.Instant? in
      state.deadSince = process.isDead ? state.deadSince ?? now : nil
      return state.deadSince
    }
    if let deadSince, now - deadSince > .seconds(1) {
      process.kill(because: "it does not answer calls")
    }
  }

  private func tell(_ event: ProcessEvent) {
    for member in state.withLock({ $0.members }) { member.tell(event) }
  }
}
