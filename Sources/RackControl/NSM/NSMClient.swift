import AsyncSupport
import Dispatch
import Glibc
import OSC
import RackModel
import RackSession

/// A client of the New (or Non) Session Manager: API 1.0 to 1.1,
/// https://new-session-manager.jackaudio.org/api.
///
/// The client announces itself, receives the path of its project and its name in JACK, saves when the session
/// manager requests it, and reports whether there are unsaved changes. It ignores messages from all other
/// addresses.
public actor NSMClient {
  /// The project that the session manager opens in the client.
  public struct Project: Sendable, Equatable {
    /// The path of the project, without a suffix. Files and folders with this name belong to the client.
    public var path: String
    /// The readable name of the session.
    public var displayName: String
    /// The client's name in JACK.
    public var clientName: String
  }

  /// The error codes of the API that the client sends.
  public enum ErrorCode: Int, Sendable {
    case general = -1
    case badProject = -9
  }

  /// A function that saves the project.
  public typealias Save = @Sendable () async throws -> Answer

  /// The time to wait for an answer.
  static let timeout = Duration.seconds(5)

  private let socket: OSCSocket
  private let server: OSCEndpoint
  private let executor = QueueExecutor(label: "backline.nsm")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  private var reading: (any DispatchSourceRead)?
  /// The answer to the announcement; nil before it is received.
  private var welcome: Result<Void, NSMError>?
  private var project: Project?
  private var save: Save?
  /// A stream that yields with each message of the session manager, and ends after a timeout.
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  /// Whether a save is running, and whether another must follow.
  private var saves = (isUnderWay: false, isAskedAgain: false)
  private var session: RackSession?
  /// The session's revision that was saved last.
  private var savedRevision = 0
  private var isDirty = false
  private var following: Task<Void, Never>?

  /// Announces a program to the session manager at `url`, and returns once it has been accepted.
  ///
  /// - Parameters:
  ///   - application: the readable name of the program.
  ///   - executable: the command that starts it.
  /// - Throws: `NSMError` if the URL is wrong, no answer comes within 5 s, or the session manager refuses.
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
      socket = try OSCSocket(at: server.localEndpoint())
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

  /// Waits for the project to open, which the session manager sends next. Answer with `opened` or `refuse`.
  ///
  /// - Throws: `NSMError` if the project is not received within 5 s.
  public func openProject() async throws(NSMError) -> Project {
    guard await waits(for: { self.project != nil }), let project else {
      throw NSMError("the session manager does not say what to open")
    }
    return project
  }

  private func waits(for condition: () -> Bool) async -> Bool {
    let timeout = Task { [arrival] in
      if (try? await Task.sleep(for: Self.timeout)) != nil { arrival.finish() }
    }
    defer { timeout.cancel() }
    if condition() { return true }
    for await _ in arrivals where condition() { return true }
    return false
  }

  /// Reports that the project plays. Starts to call `save` when the session manager requests a save, and to report
  /// unsaved changes.
  public func opened(_ session: RackSession, save: @escaping Save) {
    (self.session, self.save) = (session, save)
    savedRevision = session.revision
    send("/reply", .text("/nsm/client/open"), .text("playing"))
    send("/nsm/client/is_clean")
    following = Task { [weak self, changes = session.events()] in
      for await _ in changes { await self?.reportWhetherDirty() }
    }
  }

  /// Reports that the project cannot be opened. Does nothing if the project has been opened.
  public func refuse(_ code: ErrorCode, because reason: String) {
    if save == nil { refuseOpening(code, reason) }
  }

  private func refuseOpening(_ code: ErrorCode, _ reason: String) {
    send("/error", .text("/nsm/client/open"), .integer(code.rawValue), .text(reason))
  }

  /// Stops receiving, and reporting of unsaved changes.
  public func stop() {
    reading?.cancel()
    reading = nil
    following?.cancel()
  }

  private func reportWhetherDirty() {
    guard let isDirty = session.map({ $0.revision != savedRevision }), isDirty != self.isDirty
    else { return }
    self.isDirty = isDirty
    send(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
  }

  private func send(_ address: String, _ arguments: OSCArgument...) {
    socket.send(OSCMessage(address, arguments).bytes, to: server)
  }

  private func receive() {
    // A few messages at a time; the source fires again for the rest.
    for _ in 0..<16 {
      guard reading != nil, let (bytes, sender) = socket.receive() else { return }
      guard sender.port == server.port, sender.isSameHost(as: server),
        let elements = try? OSCPacket.elements(of: bytes)
      else {
        continue
      }
      for element in elements { handle(element.message) }
    }
  }

  private func handle(_ message: OSCMessage) {
    let texts = message.arguments.map { $0.written ?? "" }
    switch (message.address, texts.first) {
    case ("/reply", "/nsm/server/announce"?): welcome = welcome ?? .success(())
    case ("/error", "/nsm/server/announce"?):
      let reason = texts.last ?? ""
      welcome = welcome ?? .failure(NSMError("the session manager refuses: \(reason)"))
    case ("/nsm/client/open", let path?) where texts.count >= 3 && project == nil:
      project = Project(path: path, displayName: texts[1], clientName: texts[2])
    case ("/nsm/client/open", _):
      refuseOpening(.general, "a project is open; start another program for another project")
    case ("/nsm/client/save", _) where saves.isUnderWay: saves.isAskedAgain = true
    case ("/nsm/client/save", _):
      saves.isUnderWay = true
      Task { await saveProject() }
    default: break
    }
    arrival.yield()
  }

  /// Saves, and once more if another save was requested meanwhile.
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
      guard case .saved(let done, let revision) = try await save() else { return }
      savedRevision = revision
      reportWhetherDirty()
      send("/reply", .text("/nsm/client/save"), .text(done))
    } catch {
      send(
        "/error", .text("/nsm/client/save"), .integer(ErrorCode.general.rawValue), .text("\(error)")
      )
    }
  }
}

/// The readable reason why the program does not take part in a session.
public struct NSMError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
