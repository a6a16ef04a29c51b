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
  let dispatcher: Dispatcher
  var session: RackSession { dispatcher.session }
  let socket: OSCSocket
  private let executor = QueueExecutor(label: "backline.osc")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Shows a sentence to the musician.
  private let report: @Sendable (String) -> Void
  private var reading: (any DispatchSourceRead)?
  private var reporting: Task<Void, Never>?
  var isStopped: Bool { reading == nil }

  /// Received, to be carried out.
  private var pending: [Received] = []
  private var working: Task<Void, Never>?
  /// How many requests `working` carries out.
  private var inHand = 0
  /// Slow commands, which gestures overtake.
  var commands: [Received] = []
  var commanding: Task<Void, Never>?
  var schedule = OSCSchedule()
  var alarm: Task<Void, Never>?
  /// When `alarm` ends.
  var alarmTime: ContinuousClock.Instant?

  var addresses = OSCAddresses()
  var addressedGeneration = -1
  var subscribers: [OSCEndpoint: OSCSubscriber] = [:]

  private var messagesAllowed = RateLimiter(perSecond: 10_000)
  private var errorsAllowed = RateLimiter(perSecond: 20)
  private var tally = OSCTally()

  /// A message and its sender.
  struct Received: Sendable {
    var message: OSCMessage
    var sender: OSCEndpoint

    var peer: Peer { Peer("osc \(sender)", place: sender.isLoopback ? .machine : .network) }
  }

  /// Requests that may wait to be carried out.
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
    _ session: RackSession, _ socket: OSCSocket, _ report: @escaping @Sendable (String) -> Void
  ) {
    (dispatcher, self.socket, self.report) = (Dispatcher(session), socket, report)
  }

  private func listen() {
    reading = socket.reading(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.receive() }
    }
    reporting = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { await self?.reportTally() }
    }
  }

  /// Closes the server: it receives and sends nothing from now on.
  public func stop() {
    reading?.cancel()
    reading = nil
    for task in [reporting, working, commanding, alarm] { task?.cancel() }
    for address in subscribers.keys { drop(address) }
    (pending, commands) = ([], [])
    schedule = OSCSchedule()
  }

  /// Receives datagrams, a few at a time so that other work on the queue is not delayed.
  private func receive() {
    for _ in 0..<64 {
      guard !isStopped, let (bytes, sender) = socket.receive() else { break }
      receive(bytes, from: sender)
    }
    proceed()
  }

  private func receive(_ bytes: [UInt8], from sender: OSCEndpoint) {
    guard messagesAllowed.admit() else { return tally.noteDropped(from: sender) }
    let elements: [OSCPacket.Element]
    do {
      elements = try OSCPacket.elements(of: bytes)
    } catch {
      return tally.noteMalformed(from: sender, "\(error)")
    }
    keep(sender)
    for (place, element) in elements.enumerated() {
      guard place == 0 || messagesAllowed.admit(),
        pending.count + inHand + commands.count < Self.mostPending
      else {
        tally.noteDropped(from: sender)
        continue
      }
      tally.noteReceived()
      let request = Received(message: element.message, sender: sender)
      let ahead = element.time.secondsFromNow
      if ahead > 0 {
        wait(request, until: .now + .seconds(ahead), ahead)
      } else {
        pending.append(request)
      }
    }
  }

  /// Carries out what has been received meanwhile.
  func proceed() {
    guard working == nil, !pending.isEmpty, !isStopped else { return }
    let requests = pending
    (pending, inHand) = ([], requests.count)
    working = Task { await work(requests) }
  }

  private func work(_ requests: [Received]) async {
    await carryOut(requests)
    working = nil
    inHand = 0
    proceed()
  }

  /// Carries out requests as if they were received now.
  func enqueue(_ requests: [Received]) {
    pending += requests
    proceed()
  }

  /// Sends an error to the sender; not more than 20 times a second.
  func refuse(_ request: Received, because reason: String) {
    tally.noteRefused(from: request.sender, reason)
    guard errorsAllowed.admit() else { return }
    send(OSCMessage("/error", .text(request.message.address), .text(reason)), to: request.sender)
  }

  func reply(_ request: Received, _ text: String) {
    send(OSCMessage("/reply", .text(request.message.address), .text(text)), to: request.sender)
  }

  func send(_ message: OSCMessage, to peer: OSCEndpoint) { socket.send(message.bytes, to: peer) }

  /// A single message, or several in bundles.
  func send(_ messages: [OSCMessage], to peer: OSCEndpoint) {
    if messages.count == 1 { return send(messages[0], to: peer) }
    for bundle in OSCPacket.bundles(messages) { socket.send(bundle, to: peer) }
  }

  private func reportTally() {
    for sentence in tally.newSentences() { report(sentence) }
  }
}
