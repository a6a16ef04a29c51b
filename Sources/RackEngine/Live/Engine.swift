import AsyncSupport
import AudioUnits
import CKernel
import Dispatch
import JackIO
import RackModel

/// Plays a rack through JACK; if the server ends, waits for the next server of its name and plays on there.
public actor Engine {
  /// Events for the musician, for one reader; ends when the engine stops.
  public nonisolated let events: AsyncStream<EngineEvent>
  /// The client's name at the first server; the snapshot has the present name.
  public nonisolated let clientName: String
  /// Whether the server runs in this process, started for the engine.
  public nonisolated let ownsServer: Bool
  package nonisolated let catalogue: ComponentCatalogue

  var server: ServerLink
  let kernel: KernelControl
  /// The mutex that each change of the rack locks.
  let changes = AsyncMutex()
  private let executor = QueueExecutor(label: "backline.engine")
  private var timer: RepeatingTimer?

  var rack: LiveRack?
  /// The JACK ports of all graphs that the kernel may still use.
  var portSets: [JackPortSet] = []
  var unitMaker = UnitMaker()
  var processes = PlacedProcesses()

  var snapshot: EngineSnapshot
  var meters = Meters()
  var faults = FaultTally()
  var log: EngineLog
  var midiReaders = MIDIReaders()
  /// The sample time of the last reported recall of a scene.
  var lastRecall = Int64.min
  /// The tempo set while the rack plays, beats per minute; nil for the rack's own.
  package var tempo: Double?
  var taps = TapTempo()
  var recorder = Recorder()
  /// The recording of moves under way.
  var moves: RecordedMoves?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a client of the plan's name at the server that `choice` asks for, and plays the plan.
  ///
  /// - Parameters:
  ///   - endsWithServer: whether to end with the server (`EngineEvent.ended`) instead of waiting for the next.
  ///   - takesTimebase: whether to become JACK's timebase master if there is none.
  ///   - threads: the thread choice that overrides the racks' own; nil for the racks' own.
  ///   - clientName: the client's name in JACK; nil for the plan's name.
  ///   - files: the rule for files that units refuse.
  /// - Throws: `JackError` or `RackError`, with nothing left behind; `JackError.standsStill` within
  ///   seconds if a server does not answer.
  public static func start(
    _ plan: Plan, catalogue: ComponentCatalogue, server choice: JackServerChoice,
    options: JackServer.Options = .init(), endsWithServer: Bool = false,
    takesTimebase: Bool = false, threads: ThreadChoice? = nil, clientName: String? = nil,
    files: FileRule = .kept
  ) async throws -> Engine {
    // Create the kernel while JACK opens the client, which takes longer.
    let kernel = Task.detached {
      try KernelControl(sampleRate: 48_000, driver: .caller, threads: threads)
    }
    let session = try await JackSession.open(
      clientName: clientName ?? plan.name, choice: choice, options: options)
    do {
      let engine = try await Engine(
        session: session, kernel: kernel.value, plan: plan, catalogue: catalogue,
        endsWithServer: endsWithServer, takesTimebase: takesTimebase)
      do {
        try await engine.start(plan, files)
      } catch {
        await engine.stop()
        throw error
      }
      return engine
    } catch {
      await session.close()
      throw error
    }
  }

  private init(
    session: JackSession, kernel: KernelControl, plan: Plan, catalogue: ComponentCatalogue,
    endsWithServer: Bool, takesTimebase: Bool
  ) async {
    server = ServerLink(session, endsWithServer: endsWithServer, takesTimebase: takesTimebase)
    self.catalogue = catalogue
    ownsServer = session.server != nil
    clientName = session.client.name
    let sampleRate = await session.client.sampleRate
    // Nothing else waits in the kernel's ring.
    _ = kernel.send(bl_command(BL_COMMAND_SET_SAMPLE_RATE) { $0.sample_rate = sampleRate })
    kernel.driver = .jack
    self.kernel = kernel
    let (events, continuation) = AsyncStream<EngineEvent>.makeStream()
    (self.events, log) = (events, EngineLog(continuation))
    snapshot = EngineSnapshot(
      rack: plan.name, clientName: session.client.name, sampleRate: sampleRate,
      bufferSize: await session.client.bufferSize)
  }

  /// Leaves JACK without a fade, if the engine was not stopped.
  deinit {
    server.cancel()
    Task { [session = server.session, continuation = log.continuation] in
      await session.close()
      continuation.finish()
    }
  }

  private func start(_ plan: Plan, _ files: FileRule) async throws {
    for remark in server.session.remarks { report(.remark(remark)) }
    let (units, format) = try await makeUnits(plan, files: files)
    let rack = try await makeRack(plan, units: units, format: format)
    try await send(rack, rack.wiring())
    let reference = KernelReference(
      kernel.pointer, owner: kernel, helpers: kernel.helperCount(for: plan))
    try await JackTimeout.run { [client = server.client] in
      try await client.activate(kernel: reference)
    }
    play(rack)
    timer = RepeatingTimer(every: 0.1, on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.follow() }
    }
    followClient()
    report(.playing(rack: plan.name))
    await updateTempo()
    try await reportRealtime()
  }

  /// Handles reports and changes ten times a second; status and commands also receive reports.
  private func follow() {
    endPeakInterval()
    midiReaders.send()
    followUnits()
    followLatencies()
    followSpillover()
    followProcesses()
    let faults = faults.popEvents(
      xruns: snapshot.xruns, midi: server.client.midiDropped, recording: recorder.recording)
    for fault in faults {
      if case .xrun(_, let worst?) = fault { snapshot.lastXrun = worst }
      report(fault)
    }
    snapshot.events = self.faults.events
    if recorder.recording?.failure != nil { Task { await endFailedRecording() } }
  }

  /// Handles the events of the present client, until the client is closed.
  func followClient() {
    server.tasks.append(
      Task { [weak self, events = server.client.events] in
        for await event in events { await self?.receive(event) }
      })
  }

  func reportRealtime() async throws {
    let warning = try await JackTimeout.run { [client = server.client] in
      await client.realtimeWarning()
    }
    // A server in this process has reported the warning already.
    if let warning, !server.session.remarks.contains(warning) {
      report(.warning(warning))
    }
  }

  /// Fades out, leaves JACK and frees everything; the engine cannot play again.
  ///
  /// Returns within seconds even if the server does not answer: the client then closes later, and
  /// keeps what the render thread may touch. Recordings are written first, however slow the disk
  /// is.
  public func stop() async {
    await endMoves()
    await waitForCompletions()
    var hasLeft = true
    do {
      try await JackTimeout.run { await self.leave() }
    } catch {
      hasLeft = false
      report(.warning("the JACK server stands still; leaving without its answer"))
    }
    receiveReports()
    await endRecording(isLeft: hasLeft)
    await waitForCompletions()
    server.cancel()
    timer = nil
    midiReaders.finish()
    log.continuation.finish()
  }

  private func leave() async {
    if case .away(let returning, _) = server.state { returning.cancel() }
    await changes.lock()
    let former = server.state
    server.state = .ended
    if case .playing = former, let rack,
      (try? await send(rack, rack.wiring(outputs: .fadesOut))) != nil
    {
      await waitForFades()
      if !rack.plan.midiOutputs.isEmpty { await waitForTakeover() }
    }
    rack = nil
    unitMaker.prepared = []
    changes.unlock()
    if case .away(let returning, _) = former {
      returning.cancel()
      await returning.value
    }
    await server.session.close()
  }

  /// Returns the present state of the rack.
  ///
  /// - Parameter since: the `sampleTime` of an earlier snapshot: peaks are those since then, 10 s back at
  ///   most; nil for those of the last tenth of a second.
  public func status(since: Int64? = nil) -> EngineSnapshot {
    receiveReports()
    for (index, unit) in (rack?.units ?? []).enumerated() {
      if let statistics = unit.audioUnit.processStatistics {
        snapshot.units[index].apply(statistics)
      }
    }
    snapshot.serverIsAway = !server.isPlaying && !server.hasEnded
    snapshot.show(meters.peaks(since: since))
    snapshot.tempo = presentTempo.beats
    let transport = server.client.transport
    snapshot.transport = EngineSnapshot.Transport(
      isRolling: transport.rolls && server.isPlaying,
      seconds: Double(transport.frame) / snapshot.sampleRate)
    snapshot.recording = recorder.recording.map(EngineSnapshot.Recording.init)
    snapshot.latencies = latencies
    askServer()
    return snapshot
  }

  private var latencies: [PathLatency] {
    guard let rack else { return [] }
    return rack.plan.latencies(ofUnits: rack.units.map { Int(bl_node_latency($0.node)) }).map {
      var latency = $0
      latency.total = server.totalLatencies[$0.port]
      return latency
    }
  }

  /// Asks the server for its load and latencies, which the next snapshot shows: no snapshot waits for the server.
  private func askServer() {
    guard !server.isAsked else { return }
    server.isAsked = true
    Task { [weak self, client = server.client] in
      await self?.showMeasured(load: client.cpuLoad, latencies: client.totalLatencies())
    }
  }

  private func showMeasured(load: Double, latencies: [String: Int]) {
    snapshot.load = server.isPlaying ? load : 0
    server.totalLatencies = server.isPlaying ? latencies : [:]
    server.isAsked = false
  }

  /// Returns the connections of each JACK port of the rack, with auto-connections to ports that do not exist
  /// now, by the port's name without the client's.
  ///
  /// - Throws: `JackError` if no server answers.
  public func connections() async throws -> [String: [String]] {
    guard server.isPlaying else { throw JackError.closed }
    return try await JackTimeout.run { [client = server.client] in
      try await client.presentConnections()
    }
  }

  private func receive(_ event: JackEvent) async {
    switch event {
    case .xrun(let total, _): snapshot.xruns = total
    case .bufferSize(let frames):
      snapshot.bufferSize = frames
      report(.remark("JACK's buffer is \(frames) frames now"))
      if rack?.plan.dependsOnCycle == true { await replaceAll() } else { await placeProcesses() }
    case .sampleRate(let rate) where rate != snapshot.sampleRate:
      report(.remark("JACK runs at \(Int(rate)) Hz now"))
      snapshot.sampleRate = rate
      await replaceAll()
    case .sampleRate: break
    case .freewheel(let on):
      report(.remark(on ? "freewheeling" : "back in real time"))
    case .connected(let port, let other): report(.connected(port: port, to: other))
    case .connectionFailed(let port, let other, let reason):
      report(.warning("cannot connect \(port) to \(other): \(reason)"))
    case .warning(let text): report(.warning(text))
    case .shutdown(let reason): await loseServer(because: reason)
    }
  }
}

extension Plan {
  /// Whether the kernel's cycles must be as long as JACK's or the block, since pipelined units are a cycle
  /// late.
  public var dependsOnCycle: Bool { units.contains(where: \.isPipelined) }
}
