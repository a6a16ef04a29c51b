import AudioUnits
import CKernel
import JackIO
import RackModel

extension Engine {
  /// Handles the end of the server: keeps the units as they are and waits for the next server, or ends too.
  func loseServer(because reason: String) async {
    // A change under way fails by itself.
    await changes.lock()
    defer { changes.unlock() }
    guard server.isPlaying else { return }
    if server.endsWithServer {
      server.state = .ended
      report(.ended(reason: reason))
      return
    }
    snapshot.silence()
    meters = Meters(of: rack?.units ?? [], in: snapshot)
    report(.serverLost(reason: reason))
    // Meanwhile each unit keeps the last value of each parameter.
    kernel.gate.shut()
    rack?.ports = nil
    rack?.spillover = Spillover()
    snapshot.spilling = []
    portSets = []
    server.state = .away(
      returning: Task { [weak self, ownsServer] in
        guard let saved = await self?.leaveLostServer() else { return }
        var attempts = 0
        while !Task.isCancelled {
          guard let isDone = await self?.tryToReturn(saved), !isDone else { return }
          attempts += 1
          // Looking for a server takes a millisecond; starting a server, longer.
          let pause = ownsServer ? 1000 : attempts < 100 ? 100 : 500
          try? await Task.sleep(for: .milliseconds(pause))
        }
      })
  }

  /// Closes the lost server's client, and returns its state; nil if the engine ends meanwhile.
  private func leaveLostServer() async -> JackSavedState? {
    let client = server.client
    while await !client.releaseKernel() {
      if server.hasEnded { return nil }
    }
    kernel.driver = .caller
    if let recording = recorder.recording {
      recorder.state = .interrupted(next: recording.request.next())
      await finish(recording, isLeft: true)
    }
    let saved = await client.savedState
    // A cancelled task must still give the server time to end.
    await Task { await client.close() }.value
    return saved
  }

  /// Plays on at a new server, if there is one; returns false to try again.
  private func tryToReturn(_ saved: JackSavedState) async -> Bool {
    do {
      server.session = try await server.session.reopened(from: saved)
    } catch {
      reportTrouble(error)
      return server.hasEnded
    }
    await changes.lock()
    defer { changes.unlock() }
    do {
      if !server.hasEnded { try await playOn() }
      return true
    } catch {
      if await !server.client.isShutDown { reportTrouble(error) }
      await server.client.close()
      return false
    }
  }

  private func reportTrouble(_ error: any Error) {
    if case JackError.noServer = error { return }
    let sentence = "\(error); waiting on"
    if server.updateTrouble(sentence) { report(.warning(sentence)) }
  }

  /// Plays the rack through the new session. Units that do not depend on its sample rate and cycle play on;
  /// the others are recreated with their present parameters.
  private func playOn() async throws {
    guard let old = rack else { throw JackError.closed }
    let client = server.client
    snapshot.sampleRate = await client.sampleRate
    snapshot.bufferSize = await client.bufferSize
    let plan = old.withPresentValues.plan
    let (units, format) = try await makeUnits(plan, reusing: old)
    let new = try await makeRack(plan, units: units, format: format)
    try await prepareKernel(for: new)
    do {
      kernel.driver = .jack
      let reference = KernelReference(
        kernel.pointer, owner: kernel, helpers: kernel.helperCount(for: plan))
      try await client.activate(kernel: reference)
    } catch {
      kernel.driver = .caller
      kernel.gate.shut()
      throw error
    }
    snapshot.clientName = client.name
    setValues(new.plan.withValues(of: old.namedUnits), of: new.units)
    _ = await waitForCycle(within: Self.timeout)
    receiveReports()
    // Events lost without a server, or for units that were recreated, would not have been heard.
    (faults.lostEvents, faults.delayedEvents) = (0, 0)
    server.state = .playing
    play(new)
    for remark in server.session.remarks { report(.remark(remark)) }
    report(
      .serverReturned(sampleRate: snapshot.sampleRate, bufferSize: snapshot.bufferSize))
    followClient()
    await resumeRecording()
    await updateTempo()
    Task { [weak self] in try? await self?.reportRealtime() }
  }

  /// Starts the kernel with the rack, fading in, and with the values that were set without a server.
  private func prepareKernel(for new: LiveRack) async throws {
    let isReady = await sendSampleRate()
    try await endHeldNotes(of: new)
    try await send(new, new.wiring(outputs: .fadesIn))
    guard isReady, await waitForTakeover() else {
      throw RackError("rack \(new.plan.name): the kernel does not keep up")
    }
    kernel.gate.open(kernel.pointer)
    for unit in new.units.map(\.audioUnit) {
      // The kernel did not have the unit yet when its bypass was set.
      unit.shouldBypassEffect = unit.shouldBypassEffect
      unit.applyRenderChanges()
    }
  }

  /// Ends the notes that came from MIDI inputs, whose note-offs may have been missed.
  private func endHeldNotes(of new: LiveRack) async throws {
    var (silent, wiring) = (new, new.wiring())
    silent.ports = nil
    wiring.midiCables.removeAll { $0.source.unit == nil }
    guard wiring.midiCables.count < new.plan.midiCables.count else { return }
    try await send(silent, wiring)
    await waitForTakeover()
  }

  /// Keeps a rack to play as soon as there is a server.
  func keep(_ new: LiveRack, keeping kept: KeptUnits) async {
    setValues(new.plan, of: new.units, keeping: kept)
    adopt(new)
    snapshot.silence()
    report(.remark("\(new.plan.name) plays once the JACK server is back"))
  }
}
