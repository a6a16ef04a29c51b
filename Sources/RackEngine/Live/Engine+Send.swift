import CKernel
import CUnit
import JackIO
import RackModel

extension Engine {
  /// Sends a graph down.
  func send(_ rack: LiveRack, _ wiring: PlanLowering.Wiring) async throws {
    let lanes = try Automation.of(
      rack.plan, sampleRate: rack.format.sampleRate, after: automation)
    let graph = try PlanLowering.lower(
      wiring, ports: rack.plan, format: rack.format, context: rack.ports?.context,
      previous: presentGraph, automation: lanes, recording: recording)
    // Before the graph can be reported retired.
    holdings[graph] = .init(
      units: wiring.units, ports: rack.ports, plan: rack.plan, recording: recording,
      automation: lanes)
    guard await post(.setGraph(graph)) else {
      holdings[graph] = nil
      bl_graph_destroy(graph)
      throw RackError("rack \(rack.plan.name): the kernel does not keep up")
    }
    presentGraph = graph
    automation = lanes
    presentGraphFades = bl_graph_fades(graph)
    guard let ports = rack.ports else { return }
    if !portSets.contains(where: { $0 === ports }) { portSets.append(ports) }
    let latencies =
      rack.plan.outputs.indices.map { Int(bl_graph_latency(graph, UInt32($0))) }
      + rack.plan.midiOutputs.indices.map { Int(bl_graph_midi_latency(graph, UInt32($0))) }
    let names = (rack.plan.outputs + rack.plan.midiOutputs).map(\.name)
    let byName = Dictionary(zip(names, latencies)) { first, _ in first }
    await ask { await $0.setGraphLatency(byName) }
  }

  /// Plays nothing, and waits until the kernel has let go of every graph; false where it does not in
  /// time.
  func sendSilence() async -> Bool {
    guard await post(.setGraph(nil)) else { return false }
    presentGraph = nil
    presentGraphFades = false
    return await waits { self.holdings.isEmpty }
  }

  /// Gives the units of a rack the parameters and bypasses that it plans for them, all but those that
  /// are kept, which may have moved on since; only what differs is sent.
  func updateParameters(of rack: LiveRack, keeping kept: KeptUnits = .none) async {
    setParameters(of: rack, keeping: kept)
    updateBypasses(of: rack, keeping: kept)
  }

  /// Parameters alone, which wait where the kernel takes nothing.
  func setParameters(of rack: LiveRack, keeping kept: KeptUnits) {
    for (unit, planned) in zip(rack.units, rack.plan.units) where !kept.keeps(planned.name) {
      let audioUnit = unit.audioUnit
      audioUnit.takeRenderChanges()
      for (address, value) in planned.values(with: audioUnit.facts)
      where audioUnit.parameterValue(address) != value {
        do {
          try audioUnit.setParameter(address, to: value)
        } catch {
          continuation.yield(.warning("\(planned.name): \(error.reason)"))
        }
      }
    }
  }

  func updateBypasses(of rack: LiveRack, keeping kept: KeptUnits) {
    for (unit, planned) in zip(rack.units, rack.plan.units) where !kept.keeps(planned.name) {
      let audioUnit = unit.audioUnit
      audioUnit.takeRenderChanges()
      if audioUnit.shouldBypassEffect != planned.isBypassed {
        audioUnit.shouldBypassEffect = planned.isBypassed
      }
    }
  }

  /// Tells the kernel that JACK's rate is another now.
  func sendSampleRate() async -> Bool { await post(.setSampleRate(snapshot.sampleRate)) }

  /// Lowers the rack anew where a unit has another latency than its graph was lowered for: delays
  /// crossfade to what they have to be, and JACK is told.
  func followLatencies() async {
    await changes.lock()
    defer { changes.unlock() }
    guard !snapshot.serverIsAway, let rack, let presentGraph,
      bl_graph_latency_changed(presentGraph)
    else { return }
    do {
      try await send(rack, rack.wiring())
      await waitForFades()
      if presentGraphFades { try await send(rack, rack.wiring()) }
    } catch {
      continuation.yield(.warning("a latency has changed, and delays are as before: \(error)"))
    }
  }

  /// Until the graph sent last has faded, or time is up.
  func waitForFades() async {
    guard presentGraphFades else { return }
    _ = await waits {
      self.presentGraph.map { self.finishedFades.contains($0) } ?? true
    }
  }

  /// Until the graph sent last plays, with which the notes of cables that it lacks have ended, or
  /// time is up.
  @discardableResult
  func waitForTakeover() async -> Bool { await waits { self.holdings.count < 2 } }

  /// Has the JACK client do something that the rack plays without; a server that stands still is told.
  func ask(_ work: @escaping @Sendable (JackClient) async -> Void) async {
    do {
      try await Patience.answer { [client = session.client] in await work(client) }
    } catch {
      continuation.yield(.warning("\(error)"))
    }
  }

  /// Sends a command down, as soon as there is room; false when there is none in time.
  func post(_ command: bl_command) async -> Bool {
    var command = command
    return await waits { bl_kernel_send(self.kernel, &command) }
  }

  /// Has the kernel report moves of parameters, or not any more.
  func sendReportsMoves(_ reports: Bool) async -> Bool { await post(.reportMoves(reports)) }

  /// Waits for something, but half a second at most: a server that stands still must not hold us
  /// back.
  func waits(for condition: () async -> Bool) async -> Bool {
    for _ in 0..<50 {
      takeReports()
      if await condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}

extension bl_command {
  fileprivate static func setGraph(_ graph: OpaquePointer?) -> bl_command {
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = graph
    return command
  }

  static var panic: bl_command {
    var command = bl_command()
    command.type = BL_COMMAND_PANIC
    return command
  }

  fileprivate static func reportMoves(_ reports: Bool) -> bl_command {
    var command = bl_command()
    command.type = BL_COMMAND_REPORT_MOVES
    command.reports_moves = reports
    return command
  }

  fileprivate static func setSampleRate(_ sampleRate: Double) -> bl_command {
    var command = bl_command()
    command.type = BL_COMMAND_SET_SAMPLE_RATE
    command.sample_rate = sampleRate
    return command
  }
}
