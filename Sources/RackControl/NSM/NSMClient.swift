import AsyncSupport
import Dispatch
import Glibc
import OSC
import RackModel
import RackSession

/// A client of the New (or Non) Session Manager: API 1.0 to 1.1,
/// https://new-session-manager.jackaudio.org/api.
///
/// It says that it is there, is told where its project is and what it is to be called, saves when it is
/// asked to, and tells when there is something to be saved.
public actor NSMClient {
  /// What the session manager has it open.
  public struct Project: Sendable, Equatable {
    /// Without a suffix; a file or a folder of this name is the client's own.
    public var path: String
    /// Of the session, for people.
    public var displayName: String
    /// What it is to be called in JACK.
    public var clientName: String
  }

  /// The API's codes that there is use for here.
  public enum ErrorCode: Int, Sendable {
    case general = -1
    case badProject = -9
  }

  /// What was done, and how many changes there had been by then.
  public typealias Saved = (done: String, changeCount: Int)

  /// How long an answer is waited for.
  static let patience = Duration.seconds(5)

  private let socket: OSCSocket
  private let server: OSCEndpoint
  private let executor = QueueExecutor(label: "backline.nsm")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  private var reading: (any DispatchSourceRead)?
  /// Nil for as long as nobody has answered.
  private var welcome: Result<Void, NSMError>?
  private var project: Project?
  private var save: (@Sendable () async throws -> Saved)?
  /// Is a save under way, and is another asked for that begins after it?
  private var saves = (isUnderWay: false, isAskedAgain: false)
  private var session: RackSession?
  /// Of the session, when it was saved last.
  private var savedCount = 0
  private var isDirty = false
  private var following: Task<Void, Never>?

  /// Says to the session manager at `url` that a program is there, and answers once it may take part.
  ///
  /// - Parameters:
  ///   - application: what it is called, as JACK would have it.
  ///   - executable: what it was started as.
  /// - Throws: `NSMError` where the URL is none, nobody answers, or the answer is no.
  public static func announce(
    to url: String, application: String, executable: String
  ) async throws(NSMError) -> NSMClient {
    let client = try NSMClient(url)
    await client.listen()
    try await client.announce(application, executable)
    return client
  }

  private init(_ url: String) throws(NSMError) {
    do {
      server = try OSCEndpoint(url: url)
      // Not connected: a session manager on this machine may answer from another of its addresses.
      socket = try OSCSocket(at: OSCEndpoint(host: "*", port: 0))
    } catch {
      throw NSMError("NSM_URL \(url): \(error)")
    }
  }

  private func listen() {
    reading = socket.reading(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.receive() }
    }
  }

  private func announce(_ application: String, _ executable: String) async throws(NSMError) {
    send(
      "/nsm/server/announce", .text(application), .text(":dirty:"), .text(executable), .integer(1),
      .integer(0), .integer(Int(getpid())))
    guard await waits(for: { self.welcome != nil }), let welcome else {
      throw NSMError("no session manager answers at \(server)")
    }
    try welcome.get()
  }

  /// What is to be opened, which it says next; `opened` or `refuse` is the answer.
  ///
  /// - Throws: `NSMError` where it does not.
  public func openProject() async throws(NSMError) -> Project {
    guard await waits(for: { self.project != nil }), let project else {
      throw NSMError("the session manager does not say what to open")
    }
    return project
  }

  private func waits(for condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
  }

  /// The project plays. From now on `save` is called when it is to be saved, and the session manager
  /// is told when there is something to be saved.
  public func opened(_ session: RackSession, save: @escaping @Sendable () async throws -> Saved) {
    (self.session, self.save) = (session, save)
    savedCount = session.changeCount
    send("/reply", .text("/nsm/client/open"), .text("playing"))
    send("/nsm/client/is_clean")
    following = Task { [weak self, changes = session.changes()] in
      for await _ in changes { await self?.tellWhetherDirty() }
    }
  }

  /// The project cannot be opened; says nothing where it has been.
  public func refuse(_ code: ErrorCode, because reason: String) {
    if save == nil { refuseOpening(code, reason) }
  }

  private func refuseOpening(_ code: ErrorCode, _ reason: String) {
    send("/error", .text("/nsm/client/open"), .integer(code.rawValue), .text(reason))
  }

  /// Hears nobody from now on.
  public func stop() {
    reading?.cancel()
    reading = nil
    following?.cancel()
  }

  private func tellWhetherDirty() {
    guard let isDirty = session.map({ $0.changeCount != savedCount }), isDirty != self.isDirty
    else { return }
    self.isDirty = isDirty
    send(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
  }

  private func send(_ address: String, _ arguments: OSCArgument...) {
    socket.send(OSCMessage(address, arguments).bytes, to: server)
  }

  private func receive() {
    // A few at a time; what is left calls again.
    for _ in 0..<16 {
      guard reading != nil, let (bytes, sender) = socket.receive() else { return }
      guard sender.port == server.port, let elements = try? OSCPacket.elements(of: bytes) else {
        continue
      }
      for element in elements { take(element.message) }
    }
  }

  private func take(_ message: OSCMessage) {
    let texts = message.arguments.map { $0.written ?? "" }
    switch (message.address, texts.first) {
    case ("/reply", "/nsm/server/announce"?): welcome = welcome ?? .success(())
    case ("/error", "/nsm/server/announce"?):
      let reason = texts.last ?? ""
      welcome = welcome ?? .failure(NSMError("the session manager refuses: \(reason)"))
    case ("/nsm/client/open", let path?) where texts.count >= 3 && project == nil:
      project = Project(path: path, displayName: texts[1], clientName: texts[2])
    case ("/nsm/client/open", _):
      refuseOpening(.general, "one project is open; another wants another program")
    case ("/nsm/client/save", _) where saves.isUnderWay: saves.isAskedAgain = true
    case ("/nsm/client/save", _):
      saves.isUnderWay = true
      Task { await saveProject() }
    default: break
    }
  }

  /// As often as was asked for meanwhile counts as once.
  private func saveProject() async {
    repeat {
      saves.isAskedAgain = false
      await saveOnce()
    } while saves.isAskedAgain
    saves.isUnderWay = false
  }

  private func saveOnce() async {
    do {
      guard let save else { throw NSMError("nothing is open yet") }
      let saved = try await save()
      savedCount = saved.changeCount
      tellWhetherDirty()
      send("/reply", .text("/nsm/client/save"), .text(saved.done))
    } catch {
      send(
        "/error", .text("/nsm/client/save"), .integer(ErrorCode.general.rawValue), .text("\(error)")
      )
    }
  }
}

/// Why there is no session, for people.
public struct NSMError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
