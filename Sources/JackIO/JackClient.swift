import AsyncSupport
import CIO
import CJack
import Dispatch
import Glibc

/// The kernel that a client plays.
///
/// Unchecked Sendable: the client only passes the pointer to the render thread, which alone calls the
/// kernel's [render] functions.
public struct KernelReference: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The owner, retained as long as cycles may run; when freed, it destroys the kernel and what it
  /// plays.
  let owner: (any AnyObject & Sendable)?
  let helpers: Int

  /// - Parameters:
  ///   - owner: the kernel's owner; nil for a kernel that lives longer than the client.
  ///   - helpers: threads that help JACK's process thread to render.
  package init(
    _ pointer: OpaquePointer, owner: (any AnyObject & Sendable)? = nil, helpers: Int = 0
  ) {
    (self.pointer, self.owner, self.helpers) = (pointer, owner, helpers)
  }
}

/// A JACK client: its ports, its connections and JACK's events. Its C part passes JACK's cycles to
/// the kernel.
///
/// Open it, register ports, activate it, and finally close it, whatever happened.
public actor JackClient {
  /// The client's name as assigned by JACK, which differs from the requested one if that was in
  /// use.
  public nonisolated let name: String
  public nonisolated let requestedName: String
  /// The client's events, for one reader; ends when the client is closed.
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
  /// The registered ports by their names without the client's.
  var ports: [String: RegisteredPort] = [:]
  /// The graph's latency by output name, frames.
  var graphLatency: [String: Int] = [:]
  /// The port sets in order of registration; retained until they are unregistered, as the render
  /// thread may use them.
  var portSets: [JackPortSet] = []
  /// The kernel that plays; retained until the client is closed, for the same reason.
  var kernel: KernelReference?
  /// The kernel's helper threads.
  private var helperThreads: OpaquePointer?
  var cycleWaiters: [(cycle: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
  var connections = KnownConnections()
  /// The connections at the end of the server; nil before.
  var lastConnections: (made: Set<JackConnection>, cut: Set<JackConnection>)?
  /// The state of the client at the former server.
  private let saved: JackSavedState?

  /// Sends a whole MIDI message to a MIDI input of the playing graph, by its index, in the next cycle;
  /// returns false if there is no room, or if it is not a message of at most `longestSentMIDI` bytes.
  public func send(midi bytes: [UInt8], toInput index: Int) -> Bool {
    guard let port = UInt8(exactly: index), state == .active else { return false }
    return bl_jack_client_send_midi(callbacks, port, UInt32(bytes.count), bytes)
  }

  /// The longest MIDI message for `send`, bytes.
  public static let longestSentMIDI = Int(BL_JACK_LONGEST_SENT_MIDI)

  /// The number of clients in this process that have lost their server and are not closed yet. libjack
  /// frees them when another is opened, which therefore waits.
  static let unclosed = Guarded(0)

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a client of a running server; nil for the default server.
  ///
  /// - Parameter saved: the state of the client at the former server.
  public static func open(
    name: String, server: String? = nil, from saved: JackSavedState? = nil
  ) async throws -> JackClient {
    let executor = QueueExecutor(label: "backline.jack")
    return try await executor.queue.answer {
      try JackClient(name: name, server: server, from: saved, executor: executor)
    }
  }

  private init(
    name: String, server: String?, from saved: JackSavedState?, executor: QueueExecutor
  ) throws(JackError) {
    let functions = try JackLibrary().functions
    let longest = Int(functions.pointee.jack_client_name_size()) - 1
    guard !name.isEmpty, name.utf8.count <= longest, !name.contains(":") else {
      throw .clientRefused(
        name: name, reason: "a client's name has 1 to \(longest) bytes and no colon")
    }
    var status = jack_status_t(0)
    JackMessages.clear()
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
    self.saved = saved
    connections.toRestore = saved?.connections(ofClient: self.name) ?? []
    connections.toLeaveCut = saved?.cuts ?? []
    if var counters = saved?.counters { bl_jack_client_restore_state(callbacks, &counters) }
  }

  /// The sample rate, Hz; 0 once the client is closed.
  public var sampleRate: Double {
    isClosed ? 0 : Double(library.pointee.jack_get_sample_rate(jack))
  }
  /// The buffer size, frames per cycle; 0 once the client is closed.
  public var bufferSize: Int { isClosed ? 0 : Int(library.pointee.jack_get_buffer_size(jack)) }
  /// The server's DSP load, percent; 0 once the client is closed.
  public var cpuLoad: Double { isClosed ? 0 : Double(library.pointee.jack_cpu_load(jack)) }
  /// JACK's frame time at which the kernel's sample time was 0; nil until a graph plays, and once
  /// the client is closed.
  public var origin: UInt32? {
    var frameTime: UInt32 = 0
    return !isClosed && bl_jack_client_origin(callbacks, &frameTime) ? frameTime : nil
  }

  /// Whether the server has ended.
  package var isShutDown: Bool { isClosed || bl_jack_client_is_shut_down(callbacks) }

  /// Whether the client is closed; `jack` and `callbacks` are then freed.
  var isClosed: Bool { state == .closed }

  /// Makes the connections, and starts playing `kernel`. A kernel without an owner must last until the
  /// client is closed.
  public func activate(kernel: KernelReference) async throws(JackError) {
    guard state == .idle else {
      throw state == .active ? .notActivated : .closed
    }
    bl_jack_client_prepare(callbacks)
    followEvents()
    guard library.pointee.jack_activate(jack) == 0 else { throw .notActivated }
    state = .active
    updateLatencies()
    makeConnections()
    if let saved { await restoreTransport(saved) }
    guard state == .active else { throw .closed }
    self.kernel = kernel
    if kernel.helpers > 0 {
      helperThreads = bl_jack_client_start_helpers(
        callbacks, kernel.pointer, UInt32(kernel.helpers))
    }
    _ = bl_jack_client_set_kernel(callbacks, kernel.pointer)
    for set in portSets { describe(set.descriptions) }
  }

  /// The state for the client at the next server; nil before the server has ended, and while there
  /// is no kernel.
  package var savedState: JackSavedState? {
    guard !isClosed, kernel == nil, let lastConnections else { return nil }
    return JackSavedState(
      clientName: name, connections: lastConnections.made, cuts: lastConnections.cut,
      sampleRate: sampleRate, counters: bl_jack_client_saved_state(callbacks))
  }

  /// Stops the cycles; JACK removes the connections.
  public func deactivate() {
    guard state == .active else { return }
    _ = library.pointee.jack_deactivate(jack)
    _ = bl_jack_client_set_kernel(callbacks, nil)
    stopHelpers()
    state = .idle
    resumeCycleWaiters()
    (connections.made, connections.refused) = ([], [])
  }

  /// Leaves the server. The kernel is not called any more once this returns.
  public func close() async {
    var hadLostServer = false
    switch state {
    case .closed: return
    case .shutDown(let instant):
      state = .closed
      resumeCycleWaiters()
      hadLostServer = true
      // Wait, since a server that is still stopping would get a broken pipe.
      try? await Task.sleep(until: instant + .milliseconds(100), clock: .continuous)
    case .idle, .active:
      deactivate()
      state = .closed
      removeMetadata(of: ports.values)
    }
    let isFree = !JackMetadata.shared.isGivenUp
    await stopFollowingEvents()
    timing.close()
    stopHelpers()
    // Leak the client while libjack waits with it.
    if isFree {
      _ = library.pointee.jack_client_close(jack)
      if hadLostServer { Self.unclosed.withLock { $0 -= 1 } }
      bl_jack_client_destroy(callbacks)
    }
    portSets = []
    kernel = nil
    continuation.finish()
  }

  /// Returns the reason why the process thread does not run in real time, with the remedy; nil if
  /// it does.
  public func realtimeWarning() async -> String? {
    // The thread is known from the first cycle on.
    if threadPlace == nil { await waitForCycle(within: .seconds(1)) }
    guard state == .active, let threadPlace, threadPlace.priority == 0 else { return nil }
    guard RealtimePermission.isGranted() else { return RealtimePermission.warning }
    return bl_jack_is_pipewire(library)
      ? "PipeWire does not run us in real time; its module-rt, or rtkit, would"
      : "the JACK server does not run in real time; start jackd with -R"
  }

  /// Stops the helper threads; call only while no cycle can run.
  func stopHelpers() {
    bl_helper_threads_stop(helperThreads)
    helperThreads = nil
  }

  private func followEvents() {
    guard source == nil else { return }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: bl_jack_client_event_descriptor(callbacks), queue: executor.queue)
    source.setEventHandler { [weak self] in
      self?.assumeIsolated { $0.receiveEvents() }
    }
    source.activate()
    self.source = source
  }

  private func stopFollowingEvents() async {
    guard let source else { return }
    self.source = nil
    await withCheckedContinuation { continuation in
      source.setCancelHandler { continuation.resume() }
      source.cancel()
    }
  }
}
