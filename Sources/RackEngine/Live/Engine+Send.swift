import CKernel
import JackIO
import RackModel

extension Engine {
  /// The longest wait for a server that may have stopped responding.
  static let timeout = Duration.milliseconds(500)

  /// Plays a graph of the rack from the next cycle on.
  func send(_ rack: LiveRack, _ wiring: PlanLowering.Wiring) async throws {
    _ = await wait { bl_kernel_commands_waiting(self.kernel.pointer) < Self.maximumWaitingCommands }
    try kernel.play(rack, wiring, recording: recorder.recording)
    if let ports = rack.ports, !portSets.contains(where: { $0 === ports }) {
      portSets.append(ports)
    }
    await reportLatencies()
  }

  /// Half the capacity of the kernel's ring.
  private static let maximumWaitingCommands: UInt32 = 2048

  /// Reports the latencies of the present graph to JACK.
  private func reportLatencies() async {
    guard let graph = kernel.present.flatMap({ kernel.graphs[$0] }), graph.ports != nil else {
      return
    }
    let latencies = kernel.latencies
    let names = (graph.plan.outputs + graph.plan.midiOutputs).map(\.name)
    let byName = Dictionary(zip(names, latencies.outputs + latencies.midiOutputs)) { first, _ in
      first
    }
    await ask { await $0.setGraphLatency(byName) }
  }

  /// Plays silence, and waits until the kernel has retired every graph; returns false on timeout.
  func sendSilence() async -> Bool {
    guard await wait(for: kernel.playSilence) else { return false }
    return await wait { self.kernel.graphs.isEmpty }
  }

  /// Sets the units' values to those of a plan, except in kept units, whose values may have changed since.
  func setValues(_ plan: Plan, of units: [RackUnit], keeping kept: KeptUnits = .none) {
    for (unit, planned) in zip(units, plan.units) where !kept.keeps(planned.id) {
      let audioUnit = unit.audioUnit
      audioUnit.applyRenderChanges()
      for (address, value) in planned.values.parameters
      where audioUnit.parameterValue(address) != value {
        do {
          try audioUnit.setParameter(address, to: value)
        } catch {
          report(.warning("\(planned.name): \(error.reason)"))
        }
      }
      if audioUnit.shouldBypassEffect != planned.isBypassed {
        audioUnit.shouldBypassEffect = planned.isBypassed
      }
    }
  }

  /// Sets the kernel's sample rate to JACK's; returns false on timeout.
  func sendSampleRate() async -> Bool {
    await send(bl_command(BL_COMMAND_SET_SAMPLE_RATE) { $0.sample_rate = snapshot.sampleRate })
  }

  /// Lowers the rack again if a unit's latency has changed: delays crossfade to their new lengths.
  ///
  /// If the kernel's ring is full, the next call, a tenth of a second later, tries again.
  func followLatencies() {
    guard server.isPlaying, !changes.isLocked, let rack, kernel.isOutdated,
      (try? kernel.play(rack, rack.wiring(), recording: recorder.recording)) != nil
    else { return }
    Task { [weak self] in await self?.reportLatencies() }
  }

  /// Waits until the present graph has faded, or for the timeout.
  func waitForFades() async { _ = await wait { !self.kernel.isFading } }

  /// Waits until the present graph plays, and the notes of removed cables have ended; returns false on timeout.
  @discardableResult
  func waitForTakeover() async -> Bool { await wait { self.kernel.graphs.count < 2 } }

  /// Runs work of the JACK client on which the sound does not depend; warns if the server does not answer.
  func ask(_ work: @escaping @Sendable (JackClient) async -> Void) async {
    do {
      try await JackTimeout.run { [client = server.client] in await work(client) }
    } catch {
      report(.warning("\(error)"))
    }
  }

  /// Sends a command as soon as the kernel's ring has room; returns false on timeout.
  func send(_ command: bl_command) async -> Bool { await wait { self.kernel.send(command) } }

  /// Receives reports after each cycle until a condition is true; returns false on timeout.
  func wait(for condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + Self.timeout
    repeat {
      receiveReports()
      if condition() { return true }
    } while await waitForCycle(within: end - .now)
    return false
  }

  /// Waits until JACK has played a cycle; returns false on timeout, or at once without a server.
  func waitForCycle(within timeout: Duration) async -> Bool {
    guard kernel.driver == .jack, timeout > .zero else { return false }
    let hasPlayed = try? await JackTimeout.run(within: timeout) { [client = server.client] in
      await client.nextCycle()
    }
    return hasPlayed ?? false
  }
}
