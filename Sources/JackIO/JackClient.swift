import AsyncSupport
import CIO
import CJack
import Dispatch
import Glibc

/// The kernel that a client plays.
///
/// Unchecked Sendable: the client only hands the pointer to the render thread, which alone calls
/// the kernel's [render] functions; the [control] functions stay with the kernel's owner.
public struct KernelReference: @unchecked Sendable {
  public let pointer: OpaquePointer
  /// Held as long as cycles may run; destroys the kernel, and what it plays, with itself.
  let owner: (any AnyObject & Sendable)?

  /// A kernel that outlives whatever is handed this.
  public init(_ pointer: OpaquePointer) { self.init(pointer, owner: nil) }

  package init(_ pointer: OpaquePointer, owner: (any AnyObject & Sendable)?) {
    self.pointer = pointer
    self.owner = owner
  }
}

/// One JACK client: its ports, its connections and what JACK tells it; the sound itself goes from
/// JACK to the kernel in C.
///
/// open, registerPorts, activate, then play; close it in the end, whatever happened.
public actor JackClient {
  /// The name that JACK gave the client; another than was asked for where that was taken.
  public nonisolated let name: String
  public nonisolated let requestedName: String
  /// What JACK tells, to one reader; ends when the client is closed.
  public nonisolated let events: AsyncStream<JackEvent>

  let library: UnsafePointer<bl_jack_library>
  let jack: OpaquePointer
  let callbacks: OpaquePointer
  nonisolated let timing: JackTiming
  let continuation: AsyncStream<JackEvent>.Continuation
  private let executor: QueueExecutor
  private var source: (any DispatchSourceRead)?

  enum State: Equatable {
    case idle, active
    case shutDown(at: ContinuousClock.Instant)
    case closed
  }
  var state = State.idle
  /// By raw name, without the client's.
  var ports: [String: RegisteredPort] = [:]
  /// Frames, by the outputs' names.
  var graphLatency: [String: Int] = [:]
  /// In the order of their registration. Held from there to unregister, since the render thread may
  /// be at them.
  var portSets: [JackPortSet] = []
  /// Held from activation to close, likewise.
  private var kernel: KernelReference?
  private var lastMIDIDropped = (lost: 0, malformed: 0)
  var wishesGranted: Set<JackConnection> = []
  /// Told once; tried again whenever ports change.
  var wishesRefused: Set<JackConnection> = []
  /// Connections that JACK has refused and that are tried again.
  var retries: Set<JackConnection> = []
  /// What the client before had, at a server that is gone; each is made once, as soon as it can be.
  var toRestore: Set<JackConnection> = []
  /// Wishes that came true and that somebody undid.
  var wishesCut: Set<JackConnection> = []
  /// The same, at the server before.
  var toLeaveCut: Set<JackConnection> = []
  /// What there is to leave to the next, once the server is gone.
  var connectionsAtEnd: (made: Set<JackConnection>, cut: Set<JackConnection>)?
  /// Of the client before.
  private let past: JackLegacy?

  /// Clients of this process that have lost their server and are not closed yet. libjack frees them
  /// behind our back when another is opened, which therefore waits.
  static let unclosed = Guarded(0)

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Joins the server of this name, or the default one; never starts any. Within a second it is
  /// there or throws.
  ///
  /// - Parameter legacy: of a client whose place it takes.
  public static func open(
    name: String, server: String? = nil, continuing legacy: JackLegacy? = nil
  ) async throws -> JackClient {
    let executor = QueueExecutor(label: "backline.jack")
    return try await executor.queue.answer {
      try JackClient(name: name, server: server, continuing: legacy, executor: executor)
    }
  }

  private init(
    name: String, server: String?, continuing legacy: JackLegacy?, executor: QueueExecutor
  ) throws(JackError) {
    let functions = try JackLibrary().functions
    let longest = Int(functions.pointee.jack_client_name_size()) - 1
    guard !name.isEmpty, name.utf8.count <= longest, !name.contains(":") else {
      throw .clientRefused(
        name: name, reason: "a client's name has 1 to \(longest) bytes and no colon")
    }
    var status = jack_status_t(0)
    _ = JackMessages.drain()
    guard Self.unclosed.withLock({ $0 }) == 0 else {
      throw .noServer(server ?? JackServer.defaultName)
    }
    guard let jack = bl_jack_open(functions, name, server, &status) else {
      if status.rawValue & JackServerFailed.rawValue != 0 {
        throw .noServer(server ?? JackServer.defaultName)
      }
      throw .clientRefused(
        name: name,
        reason: JackMessages.reason(otherwise: "status 0x\(String(status.rawValue, radix: 16))"))
    }
    guard let callbacks = bl_jack_client_create(functions, jack) else {
      _ = functions.pointee.jack_client_close(jack)
      throw .clientRefused(name: name, reason: "its callbacks cannot be set")
    }
    self.library = functions
    self.jack = jack
    self.callbacks = callbacks
    timing = JackTiming(callbacks)
    self.executor = executor
    self.requestedName = name
    self.name = functions.pointee.jack_get_client_name(jack).map { String(cString: $0) } ?? name
    (events, continuation) = AsyncStream.makeStream(of: JackEvent.self)
    past = legacy
    toRestore = legacy?.connections(ofClient: self.name) ?? []
    toLeaveCut = legacy?.cuts ?? []
    if var past = legacy?.past { bl_jack_client_restore_state(callbacks, &past) }
  }

  /// Hz; 0 once it is closed.
  public var sampleRate: Double {
    isClosed ? 0 : Double(library.pointee.jack_get_sample_rate(jack))
  }
  /// Frames a cycle; 0 once it is closed.
  public var bufferSize: Int { isClosed ? 0 : Int(library.pointee.jack_get_buffer_size(jack)) }
  /// Percent of the time there is, as the server has it; 0 once it is closed.
  public var cpuLoad: Double { isClosed ? 0 : Double(library.pointee.jack_cpu_load(jack)) }
  /// MIDI messages dropped so far, or until it was closed: for want of room in a cycle, and because
  /// they were no messages.
  public var midiDropped: (lost: Int, malformed: Int) {
    isClosed ? lastMIDIDropped : countMIDIDropped()
  }
  /// JACK's frame time at which the kernel's sample time was 0; nil until a graph plays, and once it
  /// is closed.
  public var origin: UInt32? {
    var frameTime: UInt32 = 0
    return !isClosed && bl_jack_client_origin(callbacks, &frameTime) ? frameTime : nil
  }

  /// Has its server gone?
  package var isShutDown: Bool { isClosed || bl_jack_client_is_shut_down(callbacks) }

  /// From then on neither `jack` nor `callbacks` is there; who asked before may be answered after.
  var isClosed: Bool { state == .closed }

  private func countMIDIDropped() -> (lost: Int, malformed: Int) {
    (Int(bl_jack_client_midi_lost(callbacks)), Int(bl_jack_client_midi_malformed(callbacks)))
  }

  /// Makes the connections that are wished for or to be restored, and plays `kernel` from then on. A
  /// kernel without an owner must last until the client is deactivated or closed.
  public func activate(kernel: KernelReference) throws(JackError) {
    guard state == .idle else {
      throw state == .active ? .notActivated : .closed
    }
    bl_jack_client_prepare(callbacks)
    listen()
    guard library.pointee.jack_activate(jack) == 0 else { throw .notActivated }
    state = .active
    updateLatencies()
    makeConnections()
    if let past { restoreTransport(past) }
    self.kernel = kernel
    _ = bl_jack_client_set_kernel(callbacks, kernel.pointer, 0)
  }

  /// Plays nothing from now on. Once true nothing here is in the kernel any more, whatever JACK's
  /// threads do; where it is false a cycle does not come to its end.
  public func letGoOfKernel() -> Bool {
    guard !isClosed else { return true }
    guard bl_jack_client_set_kernel(callbacks, nil, 500) else { return false }
    kernel = nil
    return true
  }

  /// What the next client may go on from; nil before the server is gone, and as long as there is a
  /// kernel.
  package var legacy: JackLegacy? {
    guard !isClosed, kernel == nil, let connectionsAtEnd else { return nil }
    return JackLegacy(
      clientName: name, connections: connectionsAtEnd.made, cuts: connectionsAtEnd.cut,
      sampleRate: sampleRate, past: bl_jack_client_saved_state(callbacks))
  }

  /// Stops the callback; JACK takes the connections away.
  public func deactivate() {
    guard state == .active else { return }
    _ = library.pointee.jack_deactivate(jack)
    _ = bl_jack_client_set_kernel(callbacks, nil, 0)
    state = .idle
    wishesGranted = []
    wishesRefused = []
  }

  /// Leaves the server. Nothing calls the kernel any more once this returns.
  public func close() async {
    if !isClosed { lastMIDIDropped = countMIDIDropped() }
    var hadLostServer = false
    switch state {
    case .closed: return
    case .shutDown(let instant):
      state = .closed
      hadLostServer = true
      // A server that is still stopping would be hit by a broken pipe.
      try? await Task.sleep(until: instant + .milliseconds(100), clock: .continuous)
    case .idle, .active:
      deactivate()
      state = .closed
      removeMetadata()
    }
    await stopListening()
    _ = library.pointee.jack_client_close(jack)
    if hadLostServer { Self.unclosed.withLock { $0 -= 1 } }
    timing.close()
    bl_jack_client_destroy(callbacks)
    portSets = []
    kernel = nil
    continuation.finish()
  }

  /// Nil when the process thread runs in real time; otherwise what is wrong and the cure. Waits for
  /// the first cycle.
  public func realtimeWarning() async -> String? {
    for _ in 0..<100 where state == .active {
      switch bl_jack_client_scheduling_policy(callbacks) {
      case SCHED_FIFO, SCHED_RR: return nil
      case -1: try? await Task.sleep(for: .milliseconds(10))
      default:
        guard RealtimePermission.isGranted() else { return RealtimePermission.warning }
        return bl_jack_is_pipewire(library)
          ? "PipeWire does not run us in real time; its module-rt, or rtkit, would"
          : "the JACK server does not run in real time; start jackd with -R"
      }
    }
    return nil
  }

  private func listen() {
    guard source == nil else { return }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: bl_jack_client_event_descriptor(callbacks), queue: executor.queue)
    source.setEventHandler { [weak self] in
      self?.assumeIsolated { $0.takeEvents() }
    }
    source.activate()
    self.source = source
  }

  private func stopListening() async {
    guard let source else { return }
    self.source = nil
    await withCheckedContinuation { continuation in
      source.setCancelHandler { continuation.resume() }
      source.cancel()
    }
  }
}
