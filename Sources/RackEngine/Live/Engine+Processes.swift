import AudioUnits
import Dispatch
import JackIO
import RackModel

extension Engine {
  /// Has the rack's units in other processes play with it from now on.
  func settleProcesses() async {
    guard let rack, rack.units.contains(where: \.isRemote) else { return }
    tellLackingConfinement()
    let generation = rackGeneration
    let processes = RackProcesses(rack.plan, units: rack.units)
    processes.settle(period: Double(snapshot.bufferSize) / snapshot.sampleRate)
    // The first cycle may not have been yet.
    var place: JackClient.ThreadPlace?
    _ = await waits {
      place = await self.threadPlace()
      return place != nil
    }
    guard let place, await keepThread(on: place.processor) else { return }
    AudioUnit.endLongWaits(priority: place.priority, exceptProcessor: place.processor)
    let costs = await measureWakeCosts(at: place)
    // Another rack may have come meanwhile, which is settled by itself.
    guard generation == rackGeneration else { return }
    let (aside, beside) = processes.branches
    placement = ProcessPlacement(sideBranches: aside, beside: beside, costs: costs)
    _ = placement?.note(processes.times)
    processes.place(placement?.elsewhere ?? [], beside: place, costs: costs)
    renderThread = place
  }

  private func tellLackingConfinement() {
    guard !toldLackingConfinement, let lack = AudioUnit.lackingConfinement else { return }
    toldLackingConfinement = true
    continuation.yield(.warning(UnitConfinement.warning(lacking: lack)))
  }

  /// Moves processes where that has come to be better for what they do now.
  func followProcesses() {
    guard let rack, let renderThread, var placement else { return }
    let processes = RackProcesses(rack.plan, units: rack.units)
    if placement.note(processes.times) {
      processes.place(placement.elsewhere, beside: renderThread, costs: placement.costs)
    }
    self.placement = placement
  }

  /// Measured once for each place that JACK's thread has.
  private func measureWakeCosts(at place: JackClient.ThreadPlace) async -> WakeCosts {
    if let wakeCosts, renderThread == place { return wakeCosts }
    let costs = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: WakeCosts.measure(
            processor: place.processor, priority: max(place.priority - 1, 0)))
      }
    }
    wakeCosts = costs
    return costs
  }

  private func threadPlace() async -> JackClient.ThreadPlace? {
    (try? await Patience.answer { [client = session.client] in await client.threadPlace }) ?? nil
  }

  private func keepThread(on processor: Int) async -> Bool {
    (try? await Patience.answer { [client = session.client] in
      await client.keepThread(on: processor)
    }) ?? false
  }

  /// Passes on what becomes of a unit's process, for as long as the unit lasts.
  func listen(to unit: RackUnit) {
    guard let events = unit.audioUnit.processEvents else { return }
    Task { [weak self, identifier = unit.identifier, name = unit.name] in
      for await event in events { await self?.take(event, of: identifier, first: name) }
    }
  }

  /// Starts a unit's process anew, also one that was given up; events report the success.
  ///
  /// - Throws: `RackError` where there is no such unit, or it is in this process.
  package func restartProcess(of name: String) throws(RackError) {
    guard let unit = audioUnit(named: name) else { throw RackError("there is no unit \(name)") }
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

  /// `name`: what the unit was called at first, for one that no graph has any more.
  private func take(_ event: ProcessEvent, of identifier: UInt32, first name: String) {
    let name = unitName(identifier) ?? name
    continuation.yield(.unit(name, .process(event)))
    if let place = snapshot.units.firstIndex(where: { $0.name == name }) {
      snapshot.units[place].note(event)
    }
  }
}
