import AudioUnits
import JackIO
import RackModel

extension Engine {
  /// Replaces the present plan by another, without a click: common units play on, former units fade out or
  /// spill over until they have decayed, and new units fade in.
  ///
  /// - Parameters:
  ///   - kept: common units that keep their present parameters and bypass, whatever the plan says.
  ///   - files: the rule for files that have changed or cannot be read.
  ///   - isReported: whether an event reports that the rack is playing.
  /// - Throws: `RackError` or `JackError`, and the former plan plays on;
  ///   `JackError.standsStill` within seconds if the server does not answer.
  public func replace(
    with plan: Plan, keeping kept: KeptUnits = .none, files: FileRule = .kept,
    isReported: Bool = true
  ) async throws {
    await changes.lock()
    defer { changes.unlock() }
    guard !server.hasEnded else { throw JackError.closed }
    guard let old = rack?.withPresentValues else {
      throw RackError("rack \(plan.name): nothing is playing")
    }
    var plan = plan
    plan.identify(like: old.plan)
    plan = plan.withValues(of: old.namedUnits.filter { kept.keeps($0.id) })
    let (units, format) = try await makeUnits(
      plan, reusing: old, files: files)
    guard server.isPlaying else {
      let new = LiveRack(plan: plan, units: units, ports: nil, format: format)
      return await keep(new, keeping: kept)
    }
    if plan.conflictsInPorts(with: old.plan) {
      try await replacePorts(of: old, with: plan, units: units, format: format, keeping: kept)
    } else {
      var new = try await makeRack(plan, units: units, format: format)
      new.spillover = new.spillover(of: old, at: snapshot.sampleTime)
      do {
        try await crossfade(from: old, to: new, keeping: kept)
        play(new)
      } catch {
        await resume(old, insteadOf: new)
        throw error
      }
    }
    releasePorts()
    if isReported { report(.playing(rack: plan.name)) }
  }

  /// Sends the graphs that lead from one rack to another, or to the same with less spillover.
  func crossfade(
    from old: LiveRack, to new: LiveRack, keeping kept: KeptUnits
  ) async throws {
    if let wiring = LiveRack.transition(from: old, to: new), (try? await send(new, wiring)) != nil {
      setValues(new.plan, of: new.units, keeping: kept)
    } else {
      try await send(old, old.leaving(for: new))
      await waitForFades()
      try await send(new, new.wiring(outputs: .fadesIn))
      setValues(new.plan, of: new.units, keeping: kept)
    }
    await waitForFades()
    try await send(new, new.wiring())
  }

  /// Replaces a rack if a port's name changes to another kind: the old ports leave JACK, with their
  /// connections, before the new ones are registered.
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
      try await start(try await makeRack(plan, units: units, format: format), keeping: kept)
    } catch {
      do {
        try await start(try await makeRack(old.plan, units: old.units, format: old.format))
      } catch {
        report(.warning("\(error); nothing plays"))
      }
      throw error
    }
  }

  /// Plays a rack after silence. `former` is the same rack with its old units, whose values may have changed
  /// meanwhile.
  private func start(
    _ new: LiveRack, keeping kept: KeptUnits = .none, insteadOf former: LiveRack? = nil
  ) async throws {
    do {
      try await send(new, new.wiring(outputs: .fadesIn))
    } catch {
      await unregister(new.ports)
      throw error
    }
    setValues(new.plan, of: new.units, keeping: kept)
    if let former { setValues(new.plan.withValues(of: former.namedUnits), of: new.units) }
    play(new)
  }

  /// Plays the former rack again after a failed change, and releases the ports of `new`.
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
      setValues(old.plan, of: old.units)
    } catch {
      report(.warning("\(error); nothing plays"))
    }
  }

  /// Plays the same plan with new units, because JACK's sample rate or cycle has changed.
  func replaceAll() async {
    await changes.lock()
    defer { changes.unlock() }
    guard server.isPlaying, let plan = rack?.withPresentValues.plan else { return }
    let former = popRecordingOfAnotherRate()
    do {
      let (units, format) = try await makeUnits(plan)
      guard await sendSampleRate() else {
        throw RackError("rack \(plan.name): the kernel does not keep up")
      }
      try await start(
        try await makeRack(plan, units: units, format: format), insteadOf: rack)
      if let former { await continueRecording(after: former) }
    } catch {
      if let former, recorder.recording == nil { recorder.state = .recording(former) }
      report(.warning("\(error)"))
    }
  }

  /// Makes a rack whose graph was sent the present rack, and places its processes.
  func play(_ new: LiveRack) {
    adopt(new)
    Task { [weak self] in await self?.placeProcesses() }
  }

  /// Makes a rack the present rack, whether or not it plays yet.
  func adopt(_ new: LiveRack) {
    for (unit, planned) in zip(new.units, new.plan.units) {
      if unit.name != planned.name {
        recorder.recording?.rename(unit.name, to: planned.name)
        moves?.rename(unit.name, to: planned.name)
      }
      (unit.id, unit.name) = (planned.id, planned.name)
      unit.setSpills(planned.spills)
    }
    reportMissingSources(in: new.plan, before: rack?.plan)
    if let rack, rack.plan.tempo != new.plan.tempo { setOwnTempo(nil) }
    rack = new
    rack?.spillover.listen(from: snapshot.sampleTime)
    snapshot.spilling = new.spillover.names
    processes.placement = nil
    snapshot.show(new.plan)
    meters = Meters(of: new.units, in: snapshot)
    log.observer?(.rack(namedUnits))
  }

  /// Creates a plan's units. Units of `old` are kept, except those that become audible now: they still hold
  /// the sound that they last received, which would end with a click.
  ///
  /// - Throws: `RackError`, also if a unit refuses a file that the former unit did not; with `.lenient` that is
  ///   only reported.
  func makeUnits(
    _ plan: Plan, reusing old: LiveRack? = nil, files: FileRule = .lenient
  ) async throws -> ([RackUnit], RenderFormat) {
    let format = format(of: plan)
    var units: [RackUnit] = []
    let (heard, heardBefore) = (plan.audibleUnits, old?.plan.audibleUnits ?? [])
    for (index, planned) in plan.units.enumerated() {
      let former = old?.unit(
        thatBecomes: planned, isHeard: heard.contains(index), heardBefore: heardBefore,
        inAnotherRack: plan.name != old?.plan.name, format: format,
        catalogue: catalogue)
      if let former, !(files.renews && former.filesHaveChanged) {
        units.append(former)
      } else {
        let known = old?.units.first { $0.id == planned.id }?.findings
        units.append(
          try await preparedUnit(
            planned, format: format, refusing: files == .lenient ? nil : known ?? []))
      }
    }
    return (units, format)
  }

  private func format(of plan: Plan) -> RenderFormat {
    var format = RenderFormat(sampleRate: snapshot.sampleRate)
    if plan.dependsOnCycle { format.maximumFrames = snapshot.bufferSize }
    return format
  }

  /// Creates the units of a plan that the present rack does not have, so that the plan can replace it at once.
  /// The units are kept until then, or until another plan or nil is prepared.
  public func prepare(_ plan: Plan?) async throws {
    await changes.lock()
    defer { changes.unlock() }
    guard !server.hasEnded else { return }
    guard var plan else {
      unitMaker.prepared = []
      return
    }
    if let rack { plan.identify(like: rack.plan) }
    let format = format(of: plan)
    var units: [RackUnit] = []
    for planned in plan.units {
      let playsOn = rack?.units.contains {
        $0.id == planned.id && !$0.spills
          && $0.canBecome(planned, format: format, catalogue: catalogue) && !$0.filesHaveChanged
      }
      if playsOn != true { units.append(try await preparedUnit(planned, format: format)) }
    }
    unitMaker.prepared = units
  }

  /// Removes and returns a prepared unit, or creates a unit.
  ///
  /// - Parameter known: the refused properties that are accepted; nil to accept all.
  private func preparedUnit(
    _ planned: PlannedUnit, format: RenderFormat, refusing known: [PropertyFinding]? = nil
  ) async throws -> RackUnit {
    if let unit = unitMaker.pop(planned, format: format, catalogue: catalogue) { return unit }
    let identifier = unitMaker.identifier()
    let unit = try await unitMaker.make(
      planned, identifier: identifier, format: format, catalogue: catalogue, gate: kernel.gate)
    for warning in unit.fileWarnings { report(.warning(warning)) }
    if let known {
      let refusals = unit.findings.refusals.filter { !known.contains($0) }
      guard refusals.isEmpty else { throw RackError(refusals) }
    }
    for refusal in unit.findings.refusals { report(.diagnostic(refusal.warning)) }
    followProcess(of: unit)
    return unit
  }

  /// Registers a plan's JACK ports, and returns the rack.
  ///
  /// - Throws: `JackError`, or `RackError` if memory is short.
  func makeRack(
    _ plan: Plan, units: [RackUnit], format: RenderFormat
  ) async throws -> LiveRack {
    let ports = try await JackTimeout.run { [client = server.client] in
      try await client.registerPorts(
        inputs: plan.inputs.map { JackPortDescription($0) },
        outputs: plan.outputs.map { JackPortDescription($0) },
        midiInputs: plan.midiInputs.map { JackPortDescription($0, isMIDI: true) },
        midiOutputs: plan.midiOutputs.map { JackPortDescription($0, isMIDI: true) })
    } discard: { [client = server.client] in
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
  /// Whether a port's name has different kinds in the two plans.
  fileprivate func conflictsInPorts(with other: Plan) -> Bool {
    let (mine, others) = (portNames, other.portNames)
    return mine.indices.contains { kind in
      others.indices.contains { $0 != kind && !mine[kind].isDisjoint(with: others[$0]) }
    }
  }

  /// The ports' names in JACK, by kind.
  private var portNames: [Set<String>] {
    [inputs, outputs, midiInputs, midiOutputs].map { Set($0.flatMap(\.channelNames)) }
  }
}

extension JackPortDescription {
  init(_ port: Port, isMIDI: Bool = false) {
    self.init(
      name: port.name, channels: port.channelCount, isMIDI: isMIDI,
      connect: port.autoConnect)
  }
}
