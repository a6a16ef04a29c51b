import AsyncSupport
import CLinux
import Dispatch
import Glibc
import RackModel
import RackSession

/// A server of a session's control socket (docs/reference/commands.md): requests, answers and events, each a line
/// of JSON.
///
/// The server works on a queue of its own and never waits for a peer. A peer that sends nothing, half a line or
/// garbage does not delay others, and a peer that does not read its events is dropped.
public actor ControlServer {
  public nonisolated let path: String
  private let session: RackSession
  private let executor = QueueExecutor(label: "backline.control")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: ControlPeer.Descriptor
  private let facts: stat
  private var accepting: (any DispatchSourceRead)?
  private var peers: [Int: ControlPeer] = [:]
  private var nextNumber = 0

  /// The largest number of peers at once; further connections get an error and are closed.
  static let maximumPeers = 64

  /// Opens the socket of a session's rack and serves it until `stop`.
  ///
  /// - Parameter path: the path of the socket; nil for `ControlSocket.path`.
  /// - Throws: `ControlError` if another rack serves the socket, or the socket cannot be created.
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

  /// Drops every peer and removes the socket.
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
    if peers.count >= Self.maximumPeers {
      for (name, peer) in peers where peer.isGone { drop(name) }
    }
    guard peers.count < Self.maximumPeers else {
      let refusal = ControlLine.Failure(error: "more than \(Self.maximumPeers) peers at once")
      let bytes = ControlLine.bytes(refusal)
      Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      return
    }
    let name = nextNumber
    nextNumber += 1
    let peer = ControlPeer(
      descriptor, Peer("socket \(name)", access: .files, isConnected: true), queue: executor.queue,
      read: { [weak self] in self?.assumeIsolated { $0.read(name) } },
      write: { [weak self] in self?.assumeIsolated { $0.write(name) } })
    peers[name] = peer
    Task { await greet(name) }
  }

  private func greet(_ name: Int) async {
    let greeting = ControlLine.Greeting(
      client: session.engine.clientName, rack: await session.rack.plan.name)
    send(ControlLine.bytes(greeting), to: name)
  }

  private func read(_ name: Int) {
    guard let peer = peers[name] else { return }
    guard peer.receive() else { return drop(name) }
    proceed(name, peer)
  }

  private func write(_ name: Int) {
    guard let peer = peers[name] else { return }
    guard peer.flush() else { return drop(name) }
    proceed(name, peer)
  }

  /// Answers the next line, unless an answer is running or the peer is slow.
  private func proceed(_ name: Int, _ peer: ControlPeer) {
    if !peer.isAnswering, !peer.isSlow {
      switch peer.popLine() {
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
    if peer.isDone { drop(name) } else { peer.updateSources() }
  }

  private func answer(_ line: [UInt8], of name: Int) async {
    guard let peer = peers[name]?.identity else { return }
    let (id, command) = ControlLine.command(line)
    let bytes: [UInt8]
    do {
      let command = try command.get()
      let answer = try await session.perform(command, from: peer)
      switch command {
      case let guest as BecomeGuest: peers[name]?.identity.access = min(peer.access, guest.access)
      case let subscribe as Subscribe: self.subscribe(name, subscribe)
      case is Unsubscribe: peers[name]?.subscription?.cancel()
      default: break
      }
      bytes = ControlLine.bytes(ControlLine.Reply(id: id, result: answer))
    } catch {
      bytes = ControlLine.bytes(ControlLine.Failure(id: id, error: "\(error)"))
    }
    peers[name]?.isAnswering = false
    send(bytes, to: name)
  }

  /// Subscribes a peer to events, in place of its earlier subscription.
  private func subscribe(_ name: Int, _ subscription: Subscribe) {
    guard let peer = peers[name] else { return }
    peer.subscription?.cancel()
    let events = session.events(for: peer.identity, meters: subscription.meters)
    peer.subscription = Task { [weak self, session] in
      await withDiscardingTaskGroup { group in
        group.addTask { for await events in events { await self?.send(events, to: name) } }
        guard subscription.midi == true else { return }
        group.addTask {
          for await messages in await session.engine.receivedMIDI() where !messages.isEmpty {
            await self?.send([MIDIMessages(messages)], to: name)
          }
        }
      }
    }
  }

  /// Sends events to a peer; drops a peer that does not read its events.
  private func send(_ events: [any RackEvent], to name: Int) {
    for event in events {
      guard let peer = peers[name] else { return }
      if peer.isSlow {
        drop(name)
      } else {
        send(ControlLine.bytes(RackEvents.Line(event)), to: name)
      }
    }
  }

  private func send(_ bytes: [UInt8], to name: Int) {
    guard let peer = peers[name] else { return }
    guard peer.send(bytes) else { return drop(name) }
    proceed(name, peer)
  }

  private func drop(_ name: Int) {
    guard let peer = peers.removeValue(forKey: name) else { return }
    peer.close()
    Task { [session, identity = peer.identity] in await session.leave(identity) }
  }
}
