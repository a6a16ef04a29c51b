import AsyncSupport
import CSystem
import Dispatch
import Glibc
import RackModel
import RackSession

/// Serves a session's control socket (docs/reference/commands.md): commands and questions, a line of JSON each.
///
/// Works on a queue of its own, where nothing waits: peers that say nothing, half a line or garbage
/// cost others nothing, and those that do not read what they have asked to be told are dropped.
public actor ControlServer {
  public nonisolated let path: String
  let session: RackSession
  private let executor = QueueExecutor(label: "backline.control")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: ControlPeer.Descriptor
  private let facts: stat
  private var accepting: (any DispatchSourceRead)?
  private var peers: [Int: ControlPeer] = [:]
  private var nextNumber = 0

  /// At once; those beyond are told so and closed.
  static let mostPeers = 64

  /// Opens the socket of a session's rack, and serves it until `stop`; in its usual place, unless
  /// `path` says another.
  ///
  /// - Throws: `ControlError` where it is another's, or cannot be made.
  public static func start(
    _ session: RackSession, at path: String? = nil
  ) async throws -> ControlServer {
    let server = try ControlServer(
      session, path ?? ControlSocket.path(for: session.engine.clientName))
    await server.listen()
    return server
  }

  private init(_ session: RackSession, _ path: String) throws(ControlError) {
    self.session = session
    self.path = path
    listener = ControlPeer.Descriptor(try ControlSocket.listen(at: path))
    var facts = stat()
    lstat(path, &facts)
    self.facts = facts
  }

  private func listen() {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: listener.number, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.accept() } }
    source.setCancelHandler { [listener] in withExtendedLifetime(listener) {} }
    source.activate()
    accepting = source
  }

  /// Lets every peer go and removes the socket.
  public func stop() {
    guard let accepting else { return }
    ControlSocket.remove(path, madeAs: facts)
    accepting.cancel()
    self.accepting = nil
    for number in peers.keys { drop(number) }
  }

  private func accept() {
    let number = bl_accept(listener.number)
    guard number >= 0 else { return }
    let descriptor = ControlPeer.Descriptor(number)
    if peers.count >= Self.mostPeers {
      for (name, peer) in peers where peer.isGone { drop(name) }
    }
    guard peers.count < Self.mostPeers else {
      let refusal = ControlLine.Failure(error: "more than \(Self.mostPeers) peers at once")
      let bytes = ControlLine.bytes(refusal)
      send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      return
    }
    let name = nextNumber
    nextNumber += 1
    let peer = ControlPeer(
      descriptor, queue: executor.queue,
      read: { [weak self] in self?.assumeIsolated { $0.read(name) } },
      write: { [weak self] in self?.assumeIsolated { $0.write(name) } })
    peers[name] = peer
    Task { await greet(name) }
  }

  private func greet(_ name: Int) async {
    let greeting = ControlLine.Greeting(
      client: session.engine.clientName, rack: await session.rack.plan.name)
    tell(name, ControlLine.bytes(greeting))
  }

  private func read(_ name: Int) {
    guard let peer = peers[name] else { return }
    guard peer.receive() else { return drop(name) }
    goOn(name, peer)
  }

  private func write(_ name: Int) {
    guard let peer = peers[name] else { return }
    guard peer.flush() else { return drop(name) }
    goOn(name, peer)
  }

  /// Answers the next line that is there.
  private func goOn(_ name: Int, _ peer: ControlPeer) {
    if !peer.isAnswering, !peer.isSlow {
      switch peer.takeLine() {
      case .whole(let line):
        peer.isAnswering = true
        Task { await answer(line, of: name) }
      case .tooLong:
        peer.end()
        let reason = "a line has at most \(ControlPeer.longestLine) bytes"
        guard peer.send(ControlLine.bytes(ControlLine.Failure(error: reason))) else {
          return drop(name)
        }
      case nil: break
      }
    }
    if peer.isDone { drop(name) } else { peer.settle() }
  }

  private func answer(_ line: [UInt8], of name: Int) async {
    let (id, request) = ControlLine.request(line)
    let bytes: [UInt8]
    do {
      bytes = try await answer(try request.get(), id, of: name)
    } catch {
      bytes = ControlLine.bytes(ControlLine.Failure(id: id, error: "\(error)"))
    }
    peers[name]?.isAnswering = false
    tell(name, bytes)
  }

  private func answer(
    _ request: ControlRequest.Body, _ id: ControlIdentifier?, of name: Int
  ) async throws -> [UInt8] {
    func line(_ result: some Encodable) -> [UInt8] {
      ControlLine.bytes(ControlLine.Answer(id: id, result: result))
    }
    switch request {
    case .command(let command):
      return line(ControlLine.Done(done: try await session.perform(command)))
    case .get(let parameter): return line(try await session.reading(of: parameter))
    case .list: return line(await session.listing())
    case .status: return line(await session.status())
    case .metrics: return line(Metrics(await session.engine.status()).text)
    case .engine(let request):
      return line(ControlLine.Done(done: try await session.engine.perform(request)))
    case .subscribe(let meters):
      subscribe(name, meters: meters)
      return line(ControlLine.Done(done: "subscribed"))
    }
  }

  /// In the place of what the peer has subscribed to before.
  private func subscribe(_ name: Int, meters rate: Double?) {
    guard let peer = peers[name] else { return }
    for subscription in peer.subscriptions { subscription.cancel() }
    let changes = session.changes()
    peer.subscriptions = [
      Task { [weak self] in
        for await change in changes {
          await self?.tell(name, change)
          // What comes meanwhile is told together.
          try? await Task.sleep(for: .milliseconds(20))
        }
      }
    ]
    guard let rate else { return }
    peer.subscriptions.append(
      Task { [weak self, engine = session.engine] in
        while (try? await Task.sleep(for: .seconds(1 / rate))) != nil {
          let meters = ControlEvent.Meters(await engine.status())
          await self?.tell(name, event: .meters(meters))
        }
      })
  }

  private func tell(_ name: Int, _ change: RackChange) {
    if let rack = change.rack { tell(name, event: .rack(rack)) }
    for learning in change.learnings { tell(name, event: .learning(learning)) }
    if !change.readings.isEmpty {
      tell(name, event: .values(change.readings.sorted { $0.parameter < $1.parameter }))
    }
  }

  /// A peer that does not read what it wants to be told is dropped.
  private func tell(_ name: Int, event: ControlEvent) {
    guard let peer = peers[name] else { return }
    if peer.isSlow { drop(name) } else { tell(name, ControlLine.bytes(event)) }
  }

  private func tell(_ name: Int, _ bytes: [UInt8]) {
    guard let peer = peers[name] else { return }
    guard peer.send(bytes) else { return drop(name) }
    goOn(name, peer)
  }

  private func drop(_ name: Int) {
    peers.removeValue(forKey: name)?.close()
  }
}
