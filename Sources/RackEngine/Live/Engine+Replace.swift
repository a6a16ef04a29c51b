import AudioUnits
import CKernel
import CUnit
import RackModel

extension Engine {
  /// Plays another plan in the place of this one, without a click: what both have goes on, what is
  /// gone fades out, what is new fades in.
  ///
  /// - Throws: `RackError` or `JackError`, while what was playing goes on playing.
  public func replace(with plan: Plan) async throws {
    await changes.begin()
    defer { changes.end() }
    guard let old = rack else { throw RackError("rack \(plan.name): nothing is playing") }
    let new = try await makeRack(plan, reusing: old)
    if let wiring = LiveRack.transition(from: old, to: new), (try? await send(new, wiring)) != nil {
      await waitForFades()
      try await send(new, new.wiring())
    } else {
      try await send(old, old.wiring(outputs: .fadesOut))
      await waitForFades()
      try await send(new, new.wiring(outputs: .fadesIn))
      await waitForFades()
      try await send(new, new.wiring())
    }
    play(new)
    releasePorts()
    continuation.yield(.playing(rack: plan.name))
  }

  /// The same plan with units of its own, because the sample rate or the cycle is another.
  func replaceAll() async {
    await changes.begin()
    defer { changes.end() }
    guard let plan = rack?.plan else { return }
    do {
      let new = try await makeRack(plan)
      try await send(new, new.wiring(outputs: .fadesIn))
      play(new)
    } catch {
      continuation.yield(.warning("\(error)"))
    }
  }

  /// From now on this is the rack.
  func play(_ new: LiveRack) {
    rack = new
    snapshot.show(new.plan)
  }

  /// Makes a plan's units and ports. A unit that `old` has as well is kept, and what differs in its
  /// parameters is sent to it.
  func makeRack(_ plan: Plan, reusing old: LiveRack? = nil) async throws -> LiveRack {
    // A feedback cable is a cycle late, so there a cycle must be JACK's.
    var format = RenderFormat(sampleRate: snapshot.sampleRate)
    if plan.hasFeedback { format.maximumFrames = await session.client.bufferSize }
    var units: [RackUnit] = []
    var kept: [(unit: RackUnit, planned: PlannedUnit)] = []
    for planned in plan.units {
      if let unit = old?.units.first(where: { $0.canBecome(planned, format: format) }) {
        units.append(unit)
        kept.append((unit, planned))
        continue
      }
      let unit = try RackUnit(
        planned, identifier: nextIdentifier, catalogue: catalogue, format: format)
      nextIdentifier += 1
      unit.audioUnit.waitUntilReady(frames: format.maximumFrames)
      units.append(unit)
    }
    let ports = try await session.client.registerPorts(
      inputs: plan.inputs.map(JackPortDescription.init),
      outputs: plan.outputs.map(JackPortDescription.init),
      midiInputs: plan.midiInputs.map { JackPortDescription($0, isMIDI: true) })
    guard
      ports.waitInFreewheel(
        for: units.map { ($0.audioUnit.descriptor, $0.audioUnit.instance) })
    else {
      await session.client.unregister(ports)
      throw RackError("memory is short")
    }
    for (unit, planned) in kept { update(unit, to: planned) }
    return LiveRack(plan: plan, units: units, ports: ports, format: format)
  }

  private func update(_ unit: RackUnit, to planned: PlannedUnit) {
    for (address, value) in planned.values(with: unit.audioUnit.facts)
    where unit.currentValues[address] != value {
      var command = bl_command()
      command.type = BL_COMMAND_SET_PARAMETER
      command.node = unit.node
      command.parameter = bl_parameter_event(address: address, value: value, ramp_duration: 0)
      bl_kernel_send(kernel, &command)
    }
    if unit.isBypassed != planned.isBypassed {
      var command = bl_command()
      command.type = BL_COMMAND_SET_BYPASS
      command.node = unit.node
      command.bypassed = planned.isBypassed
      bl_kernel_send(kernel, &command)
    }
    unit.currentValues = planned.values(with: unit.audioUnit.facts)
    unit.isBypassed = planned.isBypassed
  }

  /// Sends a graph down.
  func send(_ rack: LiveRack, _ wiring: PlanLowering.Wiring) async throws {
    let graph = try PlanLowering.lower(
      wiring, ports: rack.plan, format: rack.format, context: rack.ports.context,
      previous: presentGraph)
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = graph
    guard bl_kernel_send(kernel, &command) else {
      bl_graph_destroy(graph)
      throw RackError("rack \(rack.plan.name): the kernel does not keep up")
    }
    holdings[graph] = .init(units: wiring.units, ports: rack.ports)
    presentGraph = graph
    presentGraphFades = wiring.cables.contains { $0.fade != .none }
    if !portSets.contains(where: { $0 === rack.ports }) { portSets.append(rack.ports) }
    let latencies = rack.plan.outputs.indices.map { Int(bl_graph_latency(graph, UInt32($0))) }
    let names = rack.plan.outputs.map(\.name)
    await session.client.setGraphLatency(Dictionary(zip(names, latencies)) { first, _ in first })
  }

  /// Until the graph sent last has faded, or time is up: a server that stands still must not hold
  /// us back.
  func waitForFades() async {
    guard presentGraphFades else { return }
    for _ in 0..<50 {
      takeReports()
      if let presentGraph, finishedFades.contains(presentGraph) { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension JackPortDescription {
  init(_ port: Port) { self.init(port, isMIDI: false) }

  init(_ port: Port, isMIDI: Bool) {
    self.init(
      name: port.name, channels: port.channelCount, isMIDI: isMIDI,
      connect: port.connectWishes)
  }
}
