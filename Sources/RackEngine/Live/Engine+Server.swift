import AudioUnits
import CKernel
import JackIO
import RackModel

extension Engine {
  /// The server is gone: from now on the units rest as they are, and the engine looks out for the next
  /// server.
  func loseServer(because reason: String) async {
    // A change under way finds out by itself, and ends.
    await changes.lock()
    defer { changes.unlock() }
    guard !isStopping, !hasEnded else { return }
    if endsWithServer {
      hasEnded = true
      continuation.yield(.ended(reason: reason))
      return
    }
    snapshot.serverIsAway = true
    snapshot.silence()
    peaks = PeakHistory(count: snapshot.meterCount)
    continuation.yield(.serverLost(reason: reason))
    // Parameters wait at their units, the last of each, however long it takes.
    kernelOwner.gate.shut()
    rack?.ports = nil
    rack?.trail = Trail()
    snapshot.spilling = []
    portSets = []
    toldTrouble = nil
    returning = Task { [weak self, ownsServer] in
      guard let legacy = await self?.leaveLostServer() else { return }
      var attempts = 0
      while !Task.isCancelled {
        guard let isBack = await self?.tryToReturn(legacy), !isBack else { return }
        attempts += 1
        // To look costs a millisecond; to start a server, more.
        let pause = ownsServer ? 1000 : attempts < 100 ? 100 : 500
        try? await Task.sleep(for: .milliseconds(pause))
      }
    }
  }

  /// Nil where the engine is stopped meanwhile.
  private func leaveLostServer() async -> JackLegacy? {
    let client = session.client
    while await !client.letGoOfKernel() {
      if isStopping { return nil }
    }
    drivesKernel = true
    nextRecording = recording?.request.next()
    // Nothing is in the kernel any more.
    await endRecording()
    let legacy = await client.legacy
    // A stop must not cut short the time that a server takes to end.
    await Task { await client.close() }.value
    return legacy
  }

  /// Answers whether there is no need to try again.
  private func tryToReturn(_ legacy: JackLegacy) async -> Bool {
    do {
      session = try await session.reopened(continuing: legacy)
    } catch {
      tellTrouble(error)
      return false
    }
    await changes.lock()
    do {
      if !isStopping { try await playOn() }
      changes.unlock()
      return true
    } catch {
      changes.unlock()
      if await !session.client.isShutDown { tellTrouble(error) }
      await session.client.close()
      return false
    }
  }

  private func tellTrouble(_ error: any Error) {
    if case JackError.noServer = error { return }
    let sentence = "\(error); waiting on"
    if sentence != toldTrouble { continuation.yield(.warning(sentence)) }
    toldTrouble = sentence
  }

  /// Plays the rack through the new session. Units that do not depend on what is new go on as they
  /// are; the others are made anew, with the parameters that they have.
  private func playOn() async throws {
    guard let old = rack else { throw JackError.closed }
    let client = session.client
    snapshot.sampleRate = await client.sampleRate
    snapshot.bufferSize = await client.bufferSize
    let plan = old.asItIs(catalogue: catalogue).plan
    let (units, format) = try await makeUnits(plan, reusing: old)
    let new = try await makeRack(plan, units: units, format: format)
    try await prepareKernel(for: new)
    do {
      drivesKernel = false
      try await client.activate(kernel: KernelReference(kernel, owner: kernelOwner))
    } catch {
      drivesKernel = true
      kernelOwner.gate.shut()
      throw error
    }
    takeReports()
    losses.forgetSilence()
    snapshot.serverIsAway = false
    snapshot.clientName = client.name
    await pass(on: old, to: new)
    play(new)
    for remark in session.remarks { continuation.yield(.remark(remark)) }
    continuation.yield(
      .serverReturned(sampleRate: snapshot.sampleRate, bufferSize: snapshot.bufferSize))
    listen()
    await resumeRecording()
    await settleTempo()
    Task { [weak self] in try? await self?.tellRealtime() }
  }

  /// Has the kernel begin with the rack, fading in, and with what was set while there was no server.
  private func prepareKernel(for new: LiveRack) async throws {
    let isReady = await sendSampleRate()
    try await endHeldNotes(of: new)
    try await send(new, new.wiring(outputs: .fadesIn))
    guard isReady, await waitForTakeover() else {
      throw RackError("rack \(new.plan.name): the kernel does not keep up")
    }
    kernelOwner.gate.open(kernel)
    for unit in new.units.map(\.audioUnit) {
      // The kernel did not have the unit yet when its bypass was set.
      unit.shouldBypassEffect = unit.shouldBypassEffect
      unit.takeRenderChanges()
    }
  }

  /// Ends the notes that came from keys: nobody can have told of their release.
  private func endHeldNotes(of new: LiveRack) async throws {
    var (unheard, wiring) = (new, new.wiring())
    unheard.ports = nil
    wiring.midiCables.removeAll { $0.source.unit == nil }
    guard wiring.midiCables.count < new.plan.midiCables.count else { return }
    try await send(unheard, wiring)
    await waitForTakeover()
  }

  /// Keeps a rack to play as soon as there is a server.
  func keep(_ new: LiveRack, keeping kept: KeptUnits) async {
    setParameters(of: new, keeping: kept)
    updateBypasses(of: new, keeping: kept)
    adopt(new)
    snapshot.silence()
    continuation.yield(.remark("\(new.plan.name) plays once the JACK server is back"))
  }
}
