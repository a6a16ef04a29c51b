import AsyncSupport
import AudioUnits
import CKernel
import Dispatch
import JackIO
import RackModel

/// Plays a rack through JACK; when the server goes, waits for the next of its name and plays on there.
///
/// The control side of the kernel: sends it graphs and commands down one ring, takes what comes up
/// the other, and frees there what the render thread has let go of.
public actor Engine {
  /// What to tell the musician, to one reader; ends when the engine stops.
  public nonisolated let events: AsyncStream<EngineEvent>
  /// At the first server; the snapshot has the present one.
  public nonisolated let clientName: String
  /// Does the server run in this process, started for the engine?
  public nonisolated let ownsServer: Bool
  let endsWithServer: Bool

  package nonisolated let catalogue: ComponentCatalogue
  var session: JackSession
  let kernelOwner: KernelOwner
  var kernel: OpaquePointer { kernelOwner.pointer }
  let continuation: AsyncStream<EngineEvent>.Continuation
  var rack: LiveRack?
  /// Is told of the rack whenever another has come to play.
  var rackObserver: RackObserver?
  /// Is told of each bypass that the render side moves.
  var bypassObserver: (@Sendable (_ unit: String, _ isBypassed: Bool) -> Void)?
  /// Receives the commands that controls and programs call.
  var commandObserver: (@Sendable (ControlCommand) -> Void)?
  /// When the scene was recalled that was reported last; sample time.
  var lastRecall = Int64.min
  /// Units that have been made before the plan that has them plays.
  var prepared: [RackUnit] = []
  /// Where units are made, so that neither the engine nor the cooperative pool waits for it.
  let unitQueue = DispatchQueue(label: "backline.units")
  private let executor = QueueExecutor(label: "backline.engine")
  /// By the units' identifiers: where the present rack and the snapshot have them.
  var unitPlaces: [UInt32: Int] = [:]
  var peaks = PeakHistory()
  var holdings: [OpaquePointer: KernelOwner.Holding] {
    get { kernelOwner.holdings }
    set { kernelOwner.holdings = newValue }
  }
  /// Those that JACK knows of.
  var portSets: [JackPortSet] = []
  var presentGraph: OpaquePointer?
  var presentGraphFades = false
  var followsLatencies = false
  var endsTrails = false
  var finishedFades: Set<OpaquePointer> = []
  var nextIdentifier: UInt32 = 0
  var snapshot: EngineSnapshot
  let changes = AsyncMutex()
  /// Files of recordings are ended, which a slow disk takes its time for.
  let endings = AsyncMutex()
  var losses = EventLosses()
  var xruns = XrunTally()
  var absences = AbsenceTally()
  /// Where the units' processes run, and beside what.
  var placement: ProcessPlacement?
  /// Counts the racks that have played.
  var rackGeneration = 0
  /// What has come in at the rack's MIDI inputs and its readers have not taken yet.
  var midiReaders: [Int: [ReceivedMIDI]] = [:]
  var midiReaderCount = 0
  var renderThread: JackClient.ThreadPlace?
  /// Beside `renderThread`.
  var wakeCosts: WakeCosts?
  var toldLackingConfinement = false
  /// The lanes of the graph that was sent last.
  var automation: Automation?
  /// Set while it plays, beats per minute; nil for the rack's own.
  package var tempo: Double?
  var taps = TapTempo()
  /// Commands' taps are counted from here.
  let clockStart = ContinuousClock.now
  let takesTimebase: Bool
  /// Moves of parameters that are being recorded, and into which file.
  var moves: RecordedMoves?
  /// Under way.
  var recording: Recording?
  /// To be begun once there is a server again.
  var nextRecording: RecordingRequest?
  var recordingTally = RecordingTally()
  private var tasks: [Task<Void, Never>] = []
  private var listening: Task<Void, Never>?
  /// The server is gone, and the engine ends with it.
  var hasEnded = false
  var isStopping = false
  /// Waits for the server, and comes back to it.
  var returning: Task<Void, Never>?
  /// Nothing renders, so it is the engine that has the kernel take in commands.
  var drivesKernel = false
  /// Why a server that is there could not be played through; told once.
  var toldTrouble: String?

  /// Each turn wakes three threads of the pool, which is most of what a small rack costs besides its
  /// cycles; whoever wants to know something sooner asks.
  private static let reportInterval = Duration.milliseconds(100)
  private var asksServer = false
  /// Of the outputs, by name, as the server last had them.
  private var totalLatencies: [String: Int] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Comes to a server as `choice` has it, as a client of the plan's name, and plays the plan.
  ///
  /// - Parameters:
  ///   - clientName: what the client is called otherwise.
  ///   - endsWithServer: when the server goes, that is the end (`EngineEvent.ended`).
  ///   - takesTimebase: becomes JACK's timebase master, where there is none.
  /// - Throws: `JackError` or `RackError`, with nothing left behind; `JackError.standsStill` within
  ///   seconds where a server is there that does not answer.
  public static func start(
    _ plan: Plan, catalogue: ComponentCatalogue, server choice: JackServerChoice,
    options: JackServer.Options = .init(), endsWithServer: Bool = false,
    takesTimebase: Bool = false, clientName: String? = nil
  ) async throws -> Engine {
    let session = try await JackSession.open(
      clientName: clientName ?? plan.name, choice: choice, options: options)
    do {
      let engine = try await Engine(
        session: session, plan: plan, catalogue: catalogue, endsWithServer: endsWithServer,
        takesTimebase: takesTimebase)
      do {
        try await engine.begin(plan)
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
    session: JackSession, plan: Plan, catalogue: ComponentCatalogue, endsWithServer: Bool,
    takesTimebase: Bool
  ) async throws {
    self.session = session
    self.catalogue = catalogue
    self.endsWithServer = endsWithServer
    self.takesTimebase = takesTimebase
    ownsServer = session.server != nil
    clientName = session.client.name
    let sampleRate = await session.client.sampleRate
    kernelOwner = try KernelOwner(sampleRate: sampleRate)
    (events, continuation) = AsyncStream.makeStream()
    snapshot = EngineSnapshot(
      rack: plan.name, clientName: session.client.name, sampleRate: sampleRate,
      bufferSize: await session.client.bufferSize)
  }

  /// An engine that nobody stopped leaves JACK as well, without a fade.
  deinit {
    for task in tasks { task.cancel() }
    returning?.cancel()
    Task { [session, continuation] in
      await session.close()
      continuation.finish()
    }
  }

  private func begin(_ plan: Plan) async throws {
    for remark in session.remarks { continuation.yield(.remark(remark)) }
    let (units, format) = try await makeUnits(plan)
    let rack = try await makeRack(plan, units: units, format: format)
    try await send(rack, rack.wiring())
    let reference = KernelReference(kernel, owner: kernelOwner)
    try await Patience.answer { [client = session.client] in
      try await client.activate(kernel: reference)
    }
    play(rack)
    tasks.append(
      Task { [weak self] in
        while (try? await Task.sleep(for: Self.reportInterval)) != nil {
          guard let self else { return }
          await endPeakInterval()
          await hearUnits()
          await hearTrail()
          await followProcesses()
          await tellXruns()
          await tellAbsences()
          await tellLosses()
          await watchRecording()
        }
      })
    listen()
    continuation.yield(.playing(rack: plan.name))
    await settleTempo()
    try await tellRealtime()
  }

  /// Takes what JACK tells the present client.
  func listen() {
    listening = Task { [weak self, events = session.client.events] in
      for await event in events { await self?.take(event) }
    }
  }

  func tellRealtime() async throws {
    let warning = try await Patience.answer { [client = session.client] in
      await client.realtimeWarning()
    }
    // A server of our own has said it already.
    if let warning, !session.remarks.contains(warning) {
      continuation.yield(.warning(warning))
    }
  }

  /// Fades out, leaves JACK and frees everything; the engine is of no use after that.
  ///
  /// Returns in a few seconds even where the server stands still and libjack waits for its answer;
  /// the leaving then goes on by itself, and what the render thread may touch stays until it ends.
  /// What is recorded is written first or waited for, however slow the disk is.
  public func stop() async {
    isStopping = true
    returning?.cancel()
    await endMoves()
    await waitForEndings()
    var hasLeft = true
    do {
      try await Patience.answer { await self.leave() }
    } catch {
      hasLeft = false
      continuation.yield(.warning("the JACK server stands still; leaving without its answer"))
    }
    takeReports()
    await endRecording(isLeft: hasLeft)
    await waitForEndings()
    for task in tasks { task.cancel() }
    tasks = []
    listening?.cancel()
    continuation.finish()
  }

  private func leave() async {
    await returning?.value
    await changes.lock()
    defer { changes.unlock() }
    if !hasEnded, !snapshot.serverIsAway, let rack,
      (try? await send(rack, rack.wiring(outputs: .fadesOut))) != nil
    {
      await waitForFades()
      if !rack.plan.midiOutputs.isEmpty { await waitForTakeover() }
    }
    rack = nil
    prepared = []
    await session.close()
  }

  /// How the rack is doing.
  ///
  /// - Parameter since: a `sampleTime` of an earlier snapshot: peaks are those since then, 10 s back at
  ///   most; nil: those of the last tenth of a second.
  public func status(since: Int64? = nil) -> EngineSnapshot {
    takeReports()
    for (place, unit) in (rack?.units ?? []).enumerated() {
      if let statistics = unit.audioUnit.processStatistics {
        snapshot.units[place].take(statistics)
      }
    }
    snapshot.show(peaks.peaks(since: since))
    snapshot.tempo = session.client.tempo.beats
    let transport = session.client.transport
    snapshot.transport = EngineSnapshot.Transport(
      isRolling: transport.rolls && !snapshot.serverIsAway,
      seconds: Double(transport.frame) / snapshot.sampleRate)
    snapshot.recording = recording.map(EngineSnapshot.Recording.init)
    snapshot.latencies = latencies()
    askServer()
    return snapshot
  }

  private func latencies() -> [PathLatency] {
    guard let rack else { return [] }
    return rack.plan.latencies(ofUnits: rack.units.map { Int(bl_node_latency($0.node)) }).map {
      var latency = $0
      latency.total = totalLatencies[$0.port]
      return latency
    }
  }

  /// For the next snapshot: this one does not wait for the server.
  private func askServer() {
    guard !asksServer else { return }
    asksServer = true
    Task { [weak self, client = session.client] in
      await self?.take(load: client.cpuLoad, latencies: client.totalLatencies())
    }
  }

  private func take(load: Double, latencies: [String: Int]) {
    snapshot.load = snapshot.serverIsAway ? 0 : load
    totalLatencies = snapshot.serverIsAway ? [:] : latencies
    asksServer = false
  }

  /// What each of the rack's JACK ports is connected to, by their names without the client's.
  ///
  /// - Throws: `JackError` where no server answers.
  public func connections() async throws -> [String: [String]] {
    guard !snapshot.serverIsAway, !hasEnded else { throw JackError.closed }
    return try await Patience.answer { [client = session.client] in
      try await client.presentConnections()
    }
  }

  /// JACK's frame time at which the rack's first frame was played; nil before that.
  public func origin() async -> UInt32? { await session.client.origin }

  private func take(_ event: JackEvent) async {
    switch event {
    case .xrun(let total, _): snapshot.xruns = total
    case .bufferSize(let frames):
      snapshot.bufferSize = frames
      continuation.yield(.remark("JACK's buffer is \(frames) frames now"))
      if rack?.plan.dependsOnCycle == true { await replaceAll() } else { await settleProcesses() }
    case .sampleRate(let rate) where rate != snapshot.sampleRate:
      continuation.yield(.remark("JACK runs at \(Int(rate)) Hz now"))
      snapshot.sampleRate = rate
      await replaceAll()
    case .sampleRate: break
    case .freewheel(let on):
      continuation.yield(.remark(on ? "freewheeling" : "back in real time"))
    case .connected(let port, let other): continuation.yield(.connected(port: port, to: other))
    case .connectionFailed(let port, let other, let reason):
      continuation.yield(.warning("cannot connect \(port) to \(other): \(reason)"))
    case .shutdown(let reason): await loseServer(because: reason)
    }
  }
}

extension Plan {
  /// A feedback cable and a pipelined unit are a cycle late, so there a cycle must be JACK's, or the
  /// block.
  public var dependsOnCycle: Bool {
    cables.contains(where: \.isFeedback) || units.contains(where: \.isPipelined)
  }
}
