import AsyncSupport
import Dispatch
import OSC
import RackModel
import RackSession

/// Serves a session over OSC (docs/reference/osc.md): the parameters of its rack by their addresses, and the
/// commands and questions of the control socket.
///
/// Works on a queue of its own, where nothing waits. What comes in is carried out in its order, so
/// much at once and so much a second; what is more is left out, counted and told.
public actor OSCServer {
  let session: RackSession
  let socket: OSCSocket
  private let executor = QueueExecutor(label: "backline.osc")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes sentences for the musician.
  private let tell: @Sendable (String) -> Void
  private var reading: (any DispatchSourceRead)?
  private var telling: Task<Void, Never>?
  var isStopped: Bool { reading == nil }

  /// What is to be carried out.
  private var pending: [Request] = []
  private var working: Task<Void, Never>?
  /// Of those that `working` has in hand.
  private var inHand = 0
  var schedule = OSCSchedule()
  var alarm: Task<Void, Never>?
  /// When it rings.
  var alarmTime: ContinuousClock.Instant?

  var addresses = OSCAddresses()
  var addressedGeneration = -1
  var subscribers: [OSCEndpoint: OSCSubscriber] = [:]
  var following: Task<Void, Never>?

  private var messagesAllowed = OSCAllowance(perSecond: 10_000)
  private var errorsAllowed = OSCAllowance(perSecond: 20)
  private var tally = OSCTally()

  struct Request: Sendable {
    var message: OSCMessage
    var sender: OSCEndpoint
  }

  /// That may wait to be carried out.
  static let mostPending = 4096

  /// Serves what comes to a socket, until `stop`.
  public static func start(
    _ session: RackSession, on socket: OSCSocket, tell: @escaping @Sendable (String) -> Void
  ) async -> OSCServer {
    let server = OSCServer(session, socket, tell)
    await server.listen()
    return server
  }

  private init(
    _ session: RackSession, _ socket: OSCSocket, _ tell: @escaping @Sendable (String) -> Void
  ) {
    (self.session, self.socket, self.tell) = (session, socket, tell)
  }

  private func listen() {
    reading = socket.reading(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.receive() }
    }
    telling = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { await self?.tellTally() }
    }
  }

  /// Hears and tells nobody from now on.
  public func stop() {
    reading?.cancel()
    reading = nil
    for task in [telling, working, alarm, following] { task?.cancel() }
    for address in subscribers.keys { drop(address) }
    pending = []
    schedule = OSCSchedule()
  }

  /// Takes what has come, but not so much at a time that nothing else would have its turn.
  private func receive() {
    for _ in 0..<64 {
      guard !isStopped, let (bytes, sender) = socket.receive() else { break }
      take(bytes, from: sender)
    }
    goOn()
  }

  private func take(_ bytes: [UInt8], from sender: OSCEndpoint) {
    guard messagesAllowed.take() else { return tally.noteDropped(from: sender) }
    let elements: [OSCPacket.Element]
    do {
      elements = try OSCPacket.elements(of: bytes)
    } catch {
      return tally.noteMalformed(from: sender, "\(error)")
    }
    keep(sender)
    for (place, element) in elements.enumerated() {
      guard place == 0 || messagesAllowed.take(), pending.count + inHand < Self.mostPending else {
        tally.noteDropped(from: sender)
        continue
      }
      tally.take()
      let request = Request(message: element.message, sender: sender)
      let ahead = element.time.secondsFromNow
      if ahead > 0 {
        wait(request, until: .now + .seconds(ahead), ahead)
      } else {
        pending.append(request)
      }
    }
  }

  /// Carries out what has come meanwhile.
  func goOn() {
    guard working == nil, !pending.isEmpty, !isStopped else { return }
    let requests = pending
    (pending, inHand) = ([], requests.count)
    working = Task { await work(requests) }
  }

  private func work(_ requests: [Request]) async {
    for request in requests where !isStopped {
      await carryOut(request)
      inHand -= 1
    }
    working = nil
    inHand = 0
    goOn()
  }

  /// Has something carried out as if it had come now.
  func take(_ requests: [Request]) {
    pending += requests
    goOn()
  }

  /// Answers what was wrong with a message, as often as that makes sense.
  func refuse(_ request: Request, because reason: String) {
    tally.noteRefused(from: request.sender, reason)
    guard errorsAllowed.take() else { return }
    send(OSCMessage("/error", .text(request.message.address), .text(reason)), to: request.sender)
  }

  func reply(_ request: Request, _ text: String) {
    send(OSCMessage("/reply", .text(request.message.address), .text(text)), to: request.sender)
  }

  func send(_ message: OSCMessage, to peer: OSCEndpoint) { socket.send(message.bytes, to: peer) }

  /// One by itself, several together.
  func send(_ messages: [OSCMessage], to peer: OSCEndpoint) {
    if messages.count == 1 { return send(messages[0], to: peer) }
    for bundle in OSCPacket.bundles(messages) { socket.send(bundle, to: peer) }
  }

  private func tellTally() {
    for sentence in tally.tell() { tell(sentence) }
  }
}
