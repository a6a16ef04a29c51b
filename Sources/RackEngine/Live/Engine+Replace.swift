import AudioUnits
import JackIO
import RackModel

extension Engine {
  /// Plays another plan in the place of this one, without a click: what both have goes on, what is
  /// gone fades out, or is heard until it has decayed where it spills, and what is new fades in.
  ///
  /// - Parameter kept: those of the units that both have that go on with the parameters and the
  ///   bypass that they have now, whatever the plan says.
  /// - Parameter isTold: says that the rack is playing, as of one that has come in another's place.
  /// - Throws: `RackError` or `JackError`, and what was playing plays on, or again;
  ///   `JackError.standsStill` within seconds where the server does not answer.
  public func replace(
    with plan: Plan, keeping kept: KeptUnits = .none, isTold: Bool = true
  ) async throws {
    await changes.lock()
    defer { changes.unlock() }
    guard !hasEnded else { throw JackError.closed }
    guard let old = rack?.asItIs(catalogue: catalogue) else {
      throw RackError("rack \(plan.name): nothing is playing")
    }
    let plan = old.passingParameters(to: plan, of: kept, catalogue: catalogue)
    let (units, format) = try await makeUnits(plan, reusing: old, keeping: kept)
    if snapshot.serverIsAway {
      let new = LiveRack(plan: plan, units: units, ports: nil, format: format)
      return await keep(new, keeping: kept)
    }
    if plan.conflictsInPorts(with: old.plan) {
      try await replacePorts(of: old, with: plan, units: units, format: format, keeping: kept)
    } else {
      var new = try await makeRack(plan, units: units, format: format)
      new.trail = new.trail(behind: old, at: snapshot.sampleTime)
      do {
        try await crossfade(from: old, to: new, keeping: kept)
        play(new)
      } catch {
        await resume(old, insteadOf: new)
        throw error
      }
    }
    releasePorts()
    if isTold { continuation.yield(.playing(rack: plan.name)) }
  }

  /// Sends the graphs that lead from one rack to another, or to the same without what trails.
  func crossfade(
    from old: LiveRack, to new: LiveRack, keeping kept: KeptUnits
  ) async throws {
    if let wiring = LiveRack.transition(from: old, to: new), (try? await send(new, wiring)) != nil {
      await updateParameters(of: new, keeping: kept)
      await waitForFades()
    } else {
      try await send(old, old.leaving(for: new))
      await waitForFades()
      try await send(new, new.wiring(outputs: .fadesIn))
      await updateParameters(of: new, keeping: kept)
      await waitForFades()
    }
    try await send(new, new.wiring())
  }

  /// Where a name goes to a port of another kind, the old ports must leave JACK before the new ones
  /// can come, and their connections with them.
  private func replacePorts(
    of old: LiveRack, with plan: Plan, units: [RackUnit], format: RenderFormat,
    keeping kept: KeptUnits
  ) async throws {
    try await send(old, old.wiring(outputs: .fadesOut))
    await waitForFades()
    guard await sendSilence() else {
      await bringBack(old)
      throw JackError.standsStill
    }
    portSets.removeAll { $0 === old.ports }
    await unregister(old.ports)
    do {
      try await begin(try await makeRack(plan, units: units, format: format), keeping: kept)
    } catch {
      do {
        try await begin(try await makeRack(old.plan, units: old.units, format: old.format))
      } catch {
        continuation.yield(.warning("\(error); nothing plays"))
      }
      throw error
    }
  }

  /// Plays a rack after silence; `former` is the same with units that went on being set meanwhile.
  private func begin(
    _ new: LiveRack, keeping kept: KeptUnits = .none, insteadOf former: LiveRack? = nil
  ) async throws {
    do {
      try await send(new, new.wiring(outputs: .fadesIn))
    } catch {
      await unregister(new.ports)
      throw error
    }
    await updateParameters(of: new, keeping: kept)
    if let former { await pass(on: former, to: new) }
    play(new)
  }

  /// Gives the units of a rack the values and bypasses that those of its former self have by now.
  func pass(on former: LiveRack, to new: LiveRack) async {
    func asItIs() -> LiveRack {
      LiveRack(
        plan: former.passingParameters(to: new.plan, of: .all, catalogue: catalogue),
        units: new.units, format: new.format)
    }
    updateBypasses(of: asItIs(), keeping: .none)
    // Last, without a pause until the new ones are those that are set.
    setParameters(of: asItIs(), keeping: .none)
  }

  /// Brings back what played before, as far as another had taken its place.
  private func resume(_ old: LiveRack, insteadOf new: LiveRack) async {
    await bringBack(old)
    if portSets.contains(where: { $0 === new.ports }) {
      releasePorts()
    } else {
      await unregister(new.ports)
    }
  }

  private func unregister(_ ports: JackPortSet?) async {
    guard let ports else { return }
    await ask { await $0.unregister(ports) }
  }

  private func bringBack(_ old: LiveRack) async {
    do {
      try await send(old, old.wiring(outputs: .fadesIn))
      await updateParameters(of: old)
    } catch {
      continuation.yield(.warning("\(error); nothing plays"))
    }
  }

  /// The same plan with units of its own, because the sample rate or the cycle is another.
  func replaceAll() async {
    await changes.lock()
    defer { changes.unlock() }
    guard !snapshot.serverIsAway, let plan = rack?.asItIs(catalogue: catalogue).plan else { return }
    let former = leaveRecordingOfAnotherRate()
    do {
      let (units, format) = try await makeUnits(plan)
      guard await sendSampleRate() else {
        throw RackError("rack \(plan.name): the kernel does not keep up")
      }
      try await begin(
        try await makeRack(plan, units: units, format: format), insteadOf: rack)
      if let former { await goOnRecording(after: former) }
    } catch {
      recording = recording ?? former
      continuation.yield(.warning("\(error)"))
    }
  }

  /// From now on this is the rack.
  func play(_ new: LiveRack) {
    adopt(new)
    Task { [weak self] in await self?.settleProcesses() }
  }

  /// The same, whether or not it can play yet.
  func adopt(_ new: LiveRack) {
    for (unit, planned) in zip(new.units, new.plan.units) {
      if unit.name != planned.name {
        recording?.follow(unit.name, renamed: planned.name)
        moves?.follow(unit.name, renamed: planned.name)
      }
      unit.name = planned.name
      unit.setSpills(planned.spills)
    }
    tellUnrecorded(new.plan, before: rack?.plan)
    if let rack, rack.plan.tempo != new.plan.tempo { setOwnTempo(nil) }
    rack = new
    rack?.trail.listen(from: snapshot.sampleTime)
    snapshot.spilling = new.trail.names
    placement = nil
    rackGeneration += 1
    snapshot.show(new.plan)
    peaks = PeakHistory(count: snapshot.meterCount)
    unitPlaces = Dictionary(
      uniqueKeysWithValues: new.units.enumerated().map { ($1.identifier, $0) })
    rackObserver?(namedUnits)
  }

  /// Makes a plan's units; one that `old` has as well is kept as it is, unless it is heard from now
  /// on and was not before: what it last heard stands still in it, and would end with a click.
  func makeUnits(
    _ plan: Plan, reusing old: LiveRack? = nil, keeping kept: KeptUnits = .none
  ) async throws -> ([RackUnit], RenderFormat) {
    var format = RenderFormat(sampleRate: snapshot.sampleRate)
    if plan.dependsOnCycle { format.maximumFrames = snapshot.bufferSize }
    var units: [RackUnit] = []
    let (heard, heardBefore) = (plan.heardUnits, old?.plan.heardUnits ?? [])
    for (place, planned) in plan.units.enumerated() {
      let former = old?.unit(
        thatBecomes: planned, formerly: kept.formerName(of: planned.name),
        isHeard: heard.contains(place), heardBefore: heardBefore,
        inAnotherRack: plan.name != old?.plan.name, format: format,
        catalogue: catalogue)
      if let former = former ?? popPrepared(planned, format: format) {
        units.append(former)
      } else {
        units.append(try await makeUnit(planned, format: format))
      }
    }
    return (units, format)
  }

  /// Makes the units that a plan has and the present rack has not, so that it can take its place at
  /// once; they are kept until it does, or another is prepared, or none.
  public func prepare(_ plan: Plan?) async throws {
    await changes.lock()
    defer { changes.unlock() }
    guard !hasEnded, !isStopping else { return }
    let before = prepared
    prepared = []
    guard let plan else { return }
    var format = RenderFormat(sampleRate: snapshot.sampleRate)
    if plan.dependsOnCycle { format.maximumFrames = snapshot.bufferSize }
    for planned in plan.units {
      let goesOn = rack?.units.contains {
        $0.name == planned.name && !$0.spills
          && $0.canBecome(planned, format: format, catalogue: catalogue)
      }
      guard goesOn != true else { continue }
      if let former = before.first(where: {
        $0.isReady(for: planned, format: format, catalogue: catalogue)
      }) {
        prepared.append(former)
      } else {
        prepared.append(try await makeUnit(planned, format: format))
      }
    }
  }

  private func popPrepared(_ planned: PlannedUnit, format: RenderFormat) -> RackUnit? {
    guard
      let place = prepared.firstIndex(where: {
        $0.isReady(for: planned, format: format, catalogue: catalogue)
      })
    else { return nil }
    return prepared.remove(at: place)
  }

  /// Makes a unit on the queue for that, since libraries are loaded and processes waited for.
  private func makeUnit(_ planned: PlannedUnit, format: RenderFormat) async throws -> RackUnit {
    let identifier = nextIdentifier
    nextIdentifier += 1
    let unit = try await unitQueue.answer {
      [catalogue, gate = kernelOwner.gate] () throws(RackError) in
      let unit = try RackUnit(
        planned, identifier: identifier, catalogue: catalogue, format: format, gate: gate)
      unit.audioUnit.waitUntilReady(frames: format.maximumFrames)
      return unit
    }
    listen(to: unit)
    return unit
  }

  /// Registers a plan's ports.
  func makeRack(
    _ plan: Plan, units: [RackUnit], format: RenderFormat
  ) async throws -> LiveRack {
    let ports = try await Patience.answer { [client = session.client] in
      try await client.registerPorts(
        inputs: plan.inputs.map(JackPortDescription.init),
        outputs: plan.outputs.map(JackPortDescription.init),
        midiInputs: plan.midiInputs.map { JackPortDescription($0, isMIDI: true) },
        midiOutputs: plan.midiOutputs.map { JackPortDescription($0, isMIDI: true) })
    } discard: { [client = session.client] in
      await client.unregister($0)
    }
    guard
      ports.waitInFreewheel(
        for: units.filter { !$0.isRemote }.map { ($0.audioUnit.descriptor, $0.audioUnit.instance) })
    else {
      await ask { await $0.unregister(ports) }
      throw RackError("memory is short")
    }
    ports.setTempo(plan.tempo)
    return LiveRack(plan: plan, units: units, ports: ports, format: format)
  }
}

extension Plan {
  /// Does a name mean a port of one kind here and of another kind there?
  fileprivate func conflictsInPorts(with other: Plan) -> Bool {
    let (mine, others) = (portNames, other.portNames)
    return mine.indices.contains { kind in
      others.indices.contains { $0 != kind && !mine[kind].isDisjoint(with: others[$0]) }
    }
  }

  /// The names that JACK knows, by kind.
  private var portNames: [Set<String>] {
    [inputs, outputs, midiInputs, midiOutputs].map { Set($0.flatMap(\.channelNames)) }
  }
}

extension JackPortDescription {
  init(_ port: Port) { self.init(port, isMIDI: false) }

  init(_ port: Port, isMIDI: Bool) {
    self.init(
      name: port.name, channels: port.channelCount, isMIDI: isMIDI,
      connect: port.autoConnect)
  }
}
