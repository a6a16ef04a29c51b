import AsyncSupport
import CIO
import CJack
import Dispatch
import Glibc

/// A JACK server inside this process, for a musician who has none running.
public actor JackServer {
  /// What drives its cycles.
  public enum Driver: String, Sendable, CaseIterable {
    /// The sound card where there is one, otherwise the dummy.
    case auto
    case alsa
    /// A clock without sound.
    case dummy
  }

  public struct Options: Sendable, Equatable {
    /// Other clients find it by this; nil for the default name.
    public var name: String?
    public var driver: Driver
    /// ALSA's name of the sound card; nil for the first that plays and records.
    public var device: String?
    /// Hz.
    public var sampleRate: Int
    /// Frames a cycle.
    public var period: Int

    public init(
      name: String? = nil, driver: Driver = .auto, device: String? = nil,
      sampleRate: Int = 48_000, period: Int = 256
    ) {
      self.name = name
      self.driver = driver
      self.device = device
      self.sampleRate = sampleRate
      self.period = period
    }
  }

  /// The name that a server has where none is given.
  public static var defaultName: String {
    getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
  }

  public nonisolated let name: String
  /// As it was started: with the driver that was chosen.
  public nonisolated let options: Options
  /// What it chose and why, a sentence each.
  public nonisolated let remarks: [String]

  private let executor: QueueExecutor
  private var server: OpaquePointer?

  /// libjackserver keeps its state in globals, so that a process can have one server at a time.
  private static let slot = DispatchSemaphore(value: 1)
  /// For a server that is about to end.
  private static let slotTimeout = DispatchTimeInterval.seconds(3)

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Starts a server. With `auto`, a sound card that does not open gives way to the dummy.
  ///
  /// - Throws: `JackError`; where this process has a server that does not end within 3 s, too.
  public static func start(_ options: Options = Options()) async throws -> JackServer {
    let executor = QueueExecutor(label: "backline.jack")
    return try await executor.queue.answer { () throws(JackError) in
      guard slot.wait(timeout: .now() + slotTimeout) == .success else {
        throw .serverNotStarted(
          driver: options.driver.rawValue,
          reason: "this process already runs a JACK server, and can run one only; stop that first,"
            + " or join it")
      }
      do throws(JackError) {
        return try JackServer(options, executor: executor)
      } catch {
        slot.signal()
        throw error
      }
    }
  }

  private init(_ options: Options, executor: QueueExecutor) throws(JackError) {
    let name = options.name ?? Self.defaultName
    var remarks: [String] = []
    let priority = [70, 10].first { RealtimePermission.isGranted(priority: $0) }
    if priority == nil {
      remarks.append(RealtimePermission.warning)
    }
    var server: OpaquePointer?
    var chosen = options
    let card = options.driver == .dummy ? nil : Self.card(options.device)
    if options.driver == .alsa && card == nil {
      throw .serverNotStarted(driver: "alsa", reason: "there is no sound card")
    }
    if let card {
      do {
        server = try Self.start(name, options, card, priority)
        chosen.driver = .alsa
        remarks.append(
          "started JACK server \"\(name)\" on \(card.name) (\(card.device)), "
            + "\(options.sampleRate) Hz, \(options.period) frames a cycle")
      } catch {
        guard options.driver == .auto else { throw error }
        remarks.append(error.description)
      }
    } else if options.driver == .auto {
      remarks.append("there is no sound card")
    }
    if server == nil {
      server = try Self.start(name, options, nil, priority)
      chosen.driver = .dummy
      remarks.append(
        "started JACK server \"\(name)\" without sound (dummy driver), \(options.sampleRate) Hz, "
          + "\(options.period) frames a cycle")
    }
    self.name = name
    self.options = chosen
    self.remarks = remarks
    self.executor = executor
    self.server = server
  }

  /// Opens a client of this server.
  ///
  /// - Parameter legacy: of a client whose place it takes.
  public func openClient(
    name: String, continuing legacy: JackLegacy? = nil
  ) async throws -> JackClient {
    guard server != nil else { throw JackError.closed }
    return try await JackClient.open(name: name, server: self.name, continuing: legacy)
  }

  /// Ends the server; its clients must be closed.
  public func stop() {
    guard let server else { return }
    bl_jack_server_stop(server)
    self.server = nil
    Self.slot.signal()
  }

  private static func card(_ device: String?) -> SoundCard? {
    guard let device else { return SoundCard.find() }
    return SoundCard(device: device, name: "sound card", canCapture: true)
  }

  private static func start(
    _ name: String, _ options: Options, _ card: SoundCard?, _ priority: Int?
  ) throws(JackError) -> OpaquePointer {
    let driver = card == nil ? "dummy" : "alsa"
    _ = JackMessages.drain()
    var error: UnsafePointer<CChar>?
    let server = name.withCString { name in
      driver.withCString { driver in
        withOptionalCString(card?.device) { device in
          var settings = bl_jack_server_options(
            name: name, driver: driver, device: device, playback_only: card?.canCapture == false,
            sample_rate: UInt32(options.sampleRate), period: UInt32(options.period),
            realtime: priority != nil, realtime_priority: Int32(priority ?? 0))
          return bl_jack_server_start(&settings, &error)
        }
      }
    }
    guard let server else {
      let reason = error.map { String(cString: $0) } ?? "no reason given"
      throw .serverNotStarted(driver: driver, reason: JackMessages.reason(otherwise: reason))
    }
    return server
  }

  private static func withOptionalCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
  }
}
