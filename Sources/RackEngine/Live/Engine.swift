import AsyncSupport
import AudioUnits
import CKernel
import Dispatch
import JackIO
import RackModel

/// Plays a rack through JACK; if the server ends, waits for the next of its name and plays on there.
public actor Engine {
  /// Events for the musician, for one reader; ends when the engine stops.
  public nonisolated let events: AsyncStream<EngineEvent>
  /// At the first server; the snapshot has the present one.
  public nonisolated let clientName: String
  /// Whether the server runs in this process, started for the engine.
  public nonisolated let ownsServer: Bool
  package nonisolated let catalogue: ComponentCatalogue

  enum State {
    case playing
    /// The server has ended; the task waits for the next one.
    case away(Task<Void, Never>)
    /// The engine was stopped, or its server has ended and the engine with it.
    case ended
  }
  var state = State.playing
  /// Why the engine could not return to a server, reported once.
  var reportedTrouble: String?
  let endsWithServer: Bool
  let takesTimebase: Bool
  var session: JackSession
  let host: KernelControl
  let continuation: AsyncStream<EngineEvent>.Continuation
  /// Keeps changes of the rack apart.
  let changes = AsyncMutex()
  private let executor = QueueExecutor(label: "backline.engine")
  private var tasks: [Task<Void, Never>] = []
  private var timer: RepeatingTimer?

  var rack: LiveRack?
  /// The JACK ports of all graphs that the kernel may still use.
  var portSets: [JackPortSet] = []
  /// Units of a plan that does not play yet.
  var prepared: [RackUnit] = []
  /// Units are made here, so that neither the engine nor the cooperative pool waits for them.
  let unitQueue = DispatchQueue(label: "backline.units")
  var nextIdentifier: UInt32 = 0
  /// The places of the rack's units in the snapshot, by the units' identifiers.
  var unitPlaces: [UInt32: Int] = [:]
  var placement: ProcessPlacement?
  /// Measured beside JACK's thread.
  var wakeCosts: (thread: JackClient.ThreadPlace, costs: WakeCosts)?
  var hasReportedConfinement = false

  var snapshot: EngineSnapshot
  var peaks = PeakHistory()
  var faults = FaultTally()
  private var isAskingServer = false
  /// Of the outputs, by name, as the server last had them.
  private var totalLatencies: [String: Int] = [:]

  /// What has happened, the oldest first.
  package internal(set) var log: [LogEntry] = []
  var observer: (@Sendable (EngineChange) -> Void)?
  /// When the last reported scene was recalled; sample time.
  var lastRecall = Int64.min
  var midiReaders: [Int: AsyncStream<[ReceivedMIDI]>.Continuation] = [:]
  var midiReaderCount = 0
  /// Since the last round.
  var receivedMessages: [ReceivedMIDI] = []
  /// Set while the rack plays, beats per minute; nil for the rack's own.
  package var tempo: Double?
  var taps = TapTempo()

  /// The recording of moves under way.
  var moves: RecordedMoves?
  /// The recording under way.
  var recording: Recording?
  /// Starts once there is a server again.
  var nextRecording: RecordingRequest?
  /// Keeps the completions of recorded files apart, which a slow disk delays.
  let completions = AsyncMutex()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a client of the plan's name at the server that `choice` asks for, and plays the plan.
  ///
  /// - Parameters:
  ///   - endsWithServer: ends with the server (`EngineEvent.ended`) instead of waiting for the next.
  ///   - takesTimebase: becomes JACK's timebase master if there is none.
  ///   - threads: in the place of what the racks say.
  ///   - clientName: in the place of the plan's name.
  ///   - files: what becomes of files that units refuse.
  /// - Throws: `JackError` or `RackError`, with nothing left behind; `JackError.standsStill` within
  ///   seconds if a server does not answer.
  public static func start(
    _ plan: Plan, catalogue: ComponentCatalogue, server choice: JackServerChoice,
    options: JackServer.Options = .init(), endsWithServer: Bool = false,
    takesTimebase: Bool = false, threads: ThreadChoice? = nil, clientName: String? = nil,
    files: FileRule = .kept
  ) async throws -> Engine {
    // While JACK opens the client, which takes longer.
    let kernel = Task.detached {
      try KernelControl(sampleRate: 48_000, driver: .caller, threads: threads)
    }
    let session = try await JackSession.open(
      clientName: clientName ?? plan.name, choice: choice, options: options)
    do {
      let engine = try await Engine(
        session: session, host: kernel.value, plan: plan, catalogue: catalogue,
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
    session: JackSession, host: KernelControl, plan: Plan, catalogue: ComponentCatalogue,
    endsWithServer: Bool, takesTimebase: Bool
  ) async {
    self.session = session
    self.catalogue = catalogue
    self.endsWithServer = endsWithServer
    self.takesTimebase = takesTimebase
    ownsServer = session.server != nil
    clientName = session.client.name
    let sampleRate = await session.client.sampleRate
    // Nothing else waits in the kernel's ring.
    _ = host.send(bl_command(BL_COMMAND_SET_SAMPLE_RATE) { $0.sample_rate = sampleRate })
    host.driver = .jack
    self.host = host
    (events, continuation) = AsyncStream.makeStream()
    snapshot = EngineSnapshot(
      rack: plan.name, clientName: session.client.name, sampleRate: sampleRate,
      bufferSize: await session.client.bufferSize)
  }

  /// An engine that was not stopped leaves JACK as well, without a fade.
  deinit {
    for task in tasks { task.cancel() }
    if case .away(let returning) = state { returning.cancel() }
    Task { [session, continuation] in
      await session.close()
      continuation.finish()
    }
  }

  private func start(_ plan: Plan, _ files: FileRule) async throws {
    for remark in session.remarks { report(.remark(remark)) }
    let (units, format) = try await makeUnits(plan, files: files)
    let rack = try await makeRack(plan, units: units, format: format)
    try await send(rack, rack.wiring())
    let reference = KernelReference(
      host.kernel, owner: host, helpers: host.helperCount(for: plan))
    try await JackTimeout.run { [client = session.client] in
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

  /// The round of ten times a second; status and commands receive reports by themselves.
  private func follow() {
    endPeakInterval()
    sendReceivedMIDI()
    followUnits()
    followLatencies()
    followSpillover()
    followProcesses()
    let faults = faults.popEvents(
      xruns: snapshot.xruns, midi: session.client.midiDropped, recording: recording)
    for fault in faults {
      if case .xrun(_, let worst?) = fault { snapshot.lastXrun = worst }
      report(fault)
    }
    snapshot.events = self.faults.events
    if recording?.failure != nil { Task { await endFailedRecording() } }
  }

  /// Follows the events of the present client, until it is closed.
  func followClient() {
    tasks.append(
      Task { [weak self, events = session.client.events] in
        for await event in events { await self?.receive(event) }
      })
  }

  func reportRealtime() async throws {
    let warning = try await JackTimeout.run { [client = session.client] in
      await client.realtimeWarning()
    }
    // A server of this process has reported it already.
    if let warning, !session.remarks.contains(warning) {
      report(.warning(warning))
    }
  }

  /// Fades out, leaves JACK and frees everything; the engine is of no use after that.
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
    for task in tasks { task.cancel() }
    (tasks, timer) = ([], nil)
    for reader in midiReaders.values { reader.finish() }
    midiReaders = [:]
    continuation.finish()
  }

  private func leave() async {
    if case .away(let returning) = state { returning.cancel() }
    await changes.lock()
    let former = state
    state = .ended
    if case .playing = former, let rack,
      (try? await send(rack, rack.wiring(outputs: .fadesOut))) != nil
    {
      await waitForFades()
      if !rack.plan.midiOutputs.isEmpty { await waitForTakeover() }
    }
    rack = nil
    prepared = []
    changes.unlock()
    if case .away(let returning) = former {
      returning.cancel()
      await returning.value
    }
    await session.close()
  }

  /// Whether a server plays the rack.
  var isPlaying: Bool { if case .playing = state { true } else { false } }

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// How the rack is doing.
  ///
  /// - Parameter since: a `sampleTime` of an earlier snapshot: peaks are those since then, 10 s back at
  ///   most; nil: those of the last tenth of a second.
  public func status(since: Int64? = nil) -> EngineSnapshot {
    receiveReports()
    for (place, unit) in (rack?.units ?? []).enumerated() {
      if let statistics = unit.audioUnit.processStatistics {
        snapshot.units[place].note(statistics)
      }
    }
    snapshot.serverIsAway = !isPlaying && !hasEnded
    snapshot.show(peaks.peaks(since: since))
    snapshot.tempo = presentTempo.beats
    let transport = session.client.transport
    snapshot.transport = EngineSnapshot.Transport(
      isRolling: transport.rolls && isPlaying,
      seconds: Double(transport.frame) / snapshot.sampleRate)
    snapshot.recording = recording.map(EngineSnapshot.Recording.init)
    snapshot.latencies = latencies
    askServer()
    return snapshot
  }

  private var latencies: [PathLatency] {
    guard let rack else { return [] }
    return rack.plan.latencies(ofUnits: rack.units.map { Int(bl_node_latency($0.node)) }).map {
      var latency = $0
      latency.total = totalLatencies[$0.port]
      return latency
    }
  }

  /// For the next snapshot: this one does not wait for the server.
  private func askServer() {
    guard !isAskingServer else { return }
    isAskingServer = true
    Task { [weak self, client = session.client] in
      await self?.note(load: client.cpuLoad, latencies: client.totalLatencies())
    }
  }

  private func note(load: Double, latencies: [String: Int]) {
    snapshot.load = isPlaying ? load : 0
    totalLatencies = isPlaying ? latencies : [:]
    isAskingServer = false
  }

  /// The connections of each of the rack's JACK ports, by their names without the client's.
  ///
  /// - Throws: `JackError` if no server answers.
  public func connections() async throws -> [String: [String]] {
    guard isPlaying else { throw JackError.closed }
    return try await JackTimeout.run { [client = session.client] in
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
  /// Pipelined units are a cycle late, so that the kernel's cycles must be as long as JACK's, or as the
  /// block.
  public var dependsOnCycle: Bool { units.contains(where: \.isPipelined) }
}
