import AsyncSupport
import Dispatch
import OSC
import RackModel
import RackSession

/// A server of a session over OSC (docs/reference/osc.md): the parameters of the rack by their addresses, and the
/// commands and questions of the control socket.
///
/// The server works on a queue of its own, which never blocks. Messages are carried out in order, but gestures
/// overtake slow commands. Messages above a rate are dropped, counted and reported.
public actor OSCServer {
  let session: RackSession
  let socket: OSCSocket
  private let executor = QueueExecutor(label: "backline.osc")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// A function that shows a sentence to the musician.
  private let report: @Sendable (String) -> Void
  private var reading: (any DispatchSourceRead)?
  var isStopped: Bool { reading == nil }

  /// Received requests that are still to be carried out.
  private var pending: [Received] = []
  private var batch: Batch?
  /// The waiting slow commands, and the requests that depend on them; gestures overtake both.
  var commands: [Received] = []
  var commanding: Task<Void, Never>?
  var schedule = OSCSchedule()
  var alarm: Alarm?

  var addresses = OSCAddresses()
  var addressedGeneration = -1
  var subscribers: [OSCEndpoint: OSCSubscriber] = [:]

  private var messagesAllowed = RateLimiter(10_000)
  private var errorsAllowed = RateLimiter(20)
  private let problems: EventLimiter

  /// Requests that are being carried out.
  private struct Batch {
    var count: Int
    var task: Task<Void, Never>
  }

  /// The wait for the first entry of the schedule.
  struct Alarm {
    var time: ContinuousClock.Instant
    var task: Task<Void, Never>
  }

  /// A message and its sender.
  struct Received: Sendable {
    /// The address as it was received, for answers.
    let address: String
    var request: Result<OSCRequest, any Error>
    let sender: OSCEndpoint

    var peer: Peer { Peer("osc \(sender)", access: sender.isLoopback ? .files : .edit) }
    var isSet: Bool { if case .success(.set) = request { true } else { false } }
  }

  /// The largest number of waiting requests.
  static let maximumPending = 4096

  /// Starts a server of the messages of a socket, which runs until `stop`.
  ///
  /// - Parameter report: a function that shows a sentence to the musician.
  public static func start(
    _ session: RackSession, on socket: OSCSocket, report: @escaping @Sendable (String) -> Void
  ) async -> OSCServer {
    let server = OSCServer(session, socket, report)
    await server.listen()
    return server
  }

  private init(
    _ session: RackSession, _ socket: OSCSocket, _ report: @escaping @Sendable (String) -> Void
  ) {
    (self.session, self.socket, self.report) = (session, socket, report)
    problems = EventLimiter(1, per: .seconds(10), report: report)
  }

  private func listen() {
    reading = socket.reading(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.receive() }
    }
  }

  /// Stops the server and cancels all waiting requests and subscriptions.
  public func stop() {
    reading?.cancel()
    reading = nil
    for task in [batch?.task, commanding, alarm?.task] { task?.cancel() }
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
    guard messagesAllowed.admit() else { return report("dropped messages", of: sender) }
    let elements: [OSCPacket.Element]
    do {
      elements = try OSCPacket.elements(of: bytes)
    } catch {
      return report("datagrams that are not OSC", of: sender, "\(error)")
    }
    keep(sender)
    for (index, element) in elements.enumerated() {
      guard index == 0 || messagesAllowed.admit(),
        pending.count + (batch?.count ?? 0) + commands.count < Self.maximumPending
      else {
        report("dropped messages", of: sender)
        continue
      }
      let request = Received(
        address: element.message.address, request: Result { try OSCRequest(element.message) },
        sender: sender)
      let ahead = element.time.secondsFromNow
      if ahead > 0 {
        wait(request, until: .now + .seconds(ahead), ahead)
      } else {
        pending.append(request)
      }
    }
  }

  /// Carries out the pending requests, unless a batch is running.
  func proceed() {
    guard batch == nil, !pending.isEmpty, !isStopped else { return }
    let requests = pending
    pending = []
    batch = Batch(count: requests.count, task: Task { await work(requests) })
  }

  private func work(_ requests: [Received]) async {
    await carryOut(requests)
    batch = nil
    proceed()
  }

  /// Adds requests to the pending ones.
  func enqueue(_ requests: [Received]) {
    pending += requests
    proceed()
  }

  /// Sends an error to the sender, at most 20 times a second in all.
  func refuse(_ request: Received, because reason: String) {
    report("refused messages", of: request.sender, reason)
    guard errorsAllowed.admit() else { return }
    send(OSCMessage("/error", .text(request.address), .text(reason)), to: request.sender)
  }

  /// Reports the first problem of a kind in ten seconds, and the number of further ones.
  private func report(
    _ kind: String, of sender: OSCEndpoint, _ reason: String = "too many at once"
  ) {
    if problems.admits("OSC: \(kind)") { report("OSC: \(kind), from \(sender): \(reason)") }
  }

  func reply(_ request: Received, _ text: String) {
    send(OSCMessage("/reply", .text(request.address), .text(text)), to: request.sender)
  }

  func send(_ message: OSCMessage, to peer: OSCEndpoint) { socket.send(message.bytes, to: peer) }

  /// Sends a single message, or several messages in bundles.
  func send(_ messages: [OSCMessage], to peer: OSCEndpoint) {
    if messages.count == 1 { return send(messages[0], to: peer) }
    for bundle in OSCPacket.bundles(messages) { socket.send(bundle, to: peer) }
  }
}
