import AudioUnits
import Dispatch
import Documents
import JackIO
import RackModel

extension Engine {
  /// Gives the rack's units in other processes their share of the cycle, and places their threads.
  func placeProcesses() async {
    guard let rack, rack.units.contains(where: \.isRemote) else { return }
    reportConfinement()
    let remote = RackProcesses(rack.plan, units: rack.units)
    remote.connect(period: Double(snapshot.bufferSize) / snapshot.sampleRate)
    // JACK's thread is known from the first cycle on.
    _ = await waitForCycle(within: Self.timeout)
    let client = server.client
    guard
      let thread = try? await JackTimeout.run({
        let thread = await client.threadPlace
        return if let thread, await client.keepThread(on: thread.processor) { thread } else { nil }
      })
    else { return }
    AudioUnit.endLongWaits(priority: thread.priority, exceptProcessor: thread.processor)
    if processes.wake?.thread != thread {
      let costs = await DispatchQueue.global().answer {
        WakeCosts.measure(processor: thread.processor, priority: max(thread.priority - 1, 0))
      }
      processes.wake = .init(thread: thread, costs: costs)
    }
    // Another rack may play by now; its own call places its processes.
    guard let wake = processes.wake, let present = self.rack, present.plan == rack.plan,
      present.units.elementsEqual(rack.units, by: ===)
    else { return }
    let (aside, beside) = remote.branches
    var placement = ProcessPlacement(sideBranches: aside, beside: beside, costs: wake.costs)
    _ = placement.add(remote.times)
    remote.place(placement.elsewhere, beside: thread, costs: wake.costs)
    processes.placement = placement
  }

  private func reportConfinement() {
    guard !processes.hasReportedConfinement, let missing = AudioUnit.missingConfinement else {
      return
    }
    processes.hasReportedConfinement = true
    report(.warning(UnitConfinement.warning(missing: missing)))
  }

  /// Moves processes to other processors, or back, when their times have changed.
  func followProcesses() {
    guard let rack, let wake = processes.wake, var placement = processes.placement else { return }
    let remote = RackProcesses(rack.plan, units: rack.units)
    if placement.add(remote.times) {
      remote.place(placement.elsewhere, beside: wake.thread, costs: wake.costs)
    }
    processes.placement = placement
  }

  /// Reports the events of a unit's process as long as the unit exists.
  func followProcess(of unit: RackUnit) {
    guard let events = unit.audioUnit.processEvents else { return }
    Task { [weak self, identifier = unit.identifier, name = unit.name] in
      for await event in events { await self?.receive(event, of: identifier, first: name) }
    }
  }

  /// Restarts a unit's process, even if it was given up; an event reports the result.
  ///
  /// - Throws: `RackError` for an unknown unit, or a unit in this process.
  package func restartProcess(of name: String) throws(RackError) {
    guard let unit = audioUnit(named: name) else {
      let nearest = nearestWord(to: name, in: (rack?.units ?? []).map(\.name))
      throw RackError("\(Refusal("there is no unit “\(name)”", suggestion: nearest))")
    }
    guard unit.process != .host else {
      throw RackError("\(name) has no process of its own: nothing to restart")
    }
    unit.restartProcess()
  }

  /// Starts the processes of all units that were given up.
  package func restartGivenUpUnits() {
    for unit in snapshot.units where unit.process?.state == .givenUp {
      audioUnit(named: unit.name)?.restartProcess()
    }
  }

  /// - Parameter name: the unit's first name, for a unit that no graph has any more.
  private func receive(_ event: ProcessEvent, of identifier: UInt32, first name: String) {
    let name = kernel.unit(identifier)?.name ?? name
    report(.unit(name, .process(event)))
    if let index = snapshot.units.firstIndex(where: { $0.name == name }) {
      snapshot.units[index].apply(event)
    }
  }
}
