import AsyncSupport
import CIO
import CJack
import Dispatch
import Glibc

/// A JACK server in this process.
public actor JackServer {
  public struct Options: Sendable, Equatable {
    /// The server's name; nil for the default.
    public var name: String?
    /// The sound card's ALSA name; nil for the first that plays and records, or else that plays.
    public var device: String?
    /// The sample rate, Hz.
    public var sampleRate: Int
    /// The period, frames per cycle.
    public var period: Int

    public init(
      name: String? = nil, device: String? = nil, sampleRate: Int = 48_000, period: Int = 256
    ) {
      self.name = name
      self.device = device
      self.sampleRate = sampleRate
      self.period = period
    }
  }

  public static var defaultName: String {
    getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
  }

  public nonisolated let name: String
  let options: Options
  /// The chosen driver: `alsa` or `dummy`.
  let driver: JackServerChoice
  /// The choices made, with the reasons.
  public nonisolated let remarks: [String]

  private let executor: QueueExecutor
  private var server: OpaquePointer?

  /// The slot of the one server per process; libjackserver keeps its state in globals.
  private static let slot = DispatchSemaphore(value: 1)
  /// The timeout for a server that is about to end.
  private static let slotTimeout = DispatchTimeInterval.seconds(3)

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Starts a server; unless `choice` is a driver, it falls back to the dummy driver if the sound
  /// card does not open.
  ///
  /// - Throws: `JackError`, also if an earlier server of this process does not end within 3 s.
  public static func start(
    _ options: Options = Options(), _ choice: JackServerChoice = .auto
  ) async throws -> JackServer {
    let executor = QueueExecutor(label: "backline.jack")
    return try await executor.queue.answer { () throws(JackError) in
      guard slot.wait(timeout: .now() + slotTimeout) == .success else {
        throw .serverNotStarted(
          driver: choice.rawValue,
          reason: "this process already runs a JACK server, and can run one only; stop that first,"
            + " or join it")
      }
      do throws(JackError) {
        return try JackServer(options, choice, executor: executor)
      } catch {
        slot.signal()
        throw error
      }
    }
  }

  private init(
    _ options: Options, _ choice: JackServerChoice, executor: QueueExecutor
  ) throws(JackError) {
    let name = options.name ?? Self.defaultName
    var remarks: [String] = []
    let priority = [70, 10].first { RealtimePermission.isGranted(priority: $0) }
    if priority == nil {
      remarks.append(RealtimePermission.warning)
    }
    var server: OpaquePointer?
    var driver = JackServerChoice.dummy
    let card = choice == .dummy ? nil : Self.card(options.device)
    if choice == .alsa && card == nil {
      throw .serverNotStarted(driver: "alsa", reason: "there is no sound card")
    }
    if let card {
      do {
        server = try Self.start(name, options, card, priority)
        driver = .alsa
        remarks.append(
          "started JACK server \"\(name)\" on \(card.name) (\(card.device)), "
            + "\(options.sampleRate) Hz, \(options.period) frames a cycle")
      } catch {
        guard choice != .alsa else { throw error }
        remarks.append(error.description)
      }
    } else if choice != .dummy {
      remarks.append("there is no sound card")
    }
    if server == nil {
      server = try Self.start(name, options, nil, priority)
      remarks.append(
        "started JACK server \"\(name)\" without sound (dummy driver), \(options.sampleRate) Hz, "
          + "\(options.period) frames a cycle")
    }
    self.name = name
    self.options = options
    self.driver = driver
    self.remarks = remarks
    self.executor = executor
    self.server = server
  }

  /// Ends the server; its clients must be closed.
  public func stop() {
    guard let server else { return }
    bl_jack_server_stop(server)
    self.server = nil
    Self.slot.signal()
  }

  /// Returns advice about an error message of libjack's; empty if there is none.
  package static func advice(on reason: String) -> String {
    reason.contains("Too many servers")
      ? ": JACK has room for eight names of servers, and one that was killed keeps its name until"
        + " another starts under it; give --server-name one of those, or end all JACK servers, then rm"
        + " /dev/shm/jack-shm-registry" : ""
  }

  private static func card(_ device: String?) -> SoundCard? {
    guard let device else { return SoundCard.find() }
    return SoundCard(device: device, name: "sound card", canCapture: true)
  }

  private static func start(
    _ name: String, _ options: Options, _ card: SoundCard?, _ priority: Int?
  ) throws(JackError) -> OpaquePointer {
    let driver = card == nil ? "dummy" : "alsa"
    JackMessages.clear()
    let texts = [name, driver, card?.device].map { $0.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    var settings = bl_jack_server_options(
      name: texts[0], driver: texts[1], device: texts[2],
      playback_only: card?.canCapture == false, sample_rate: UInt32(options.sampleRate),
      period: UInt32(options.period), realtime: priority != nil,
      realtime_priority: Int32(priority ?? 0))
    var error: UnsafePointer<CChar>?
    let server = bl_jack_server_start(&settings, &error)
    guard let server else {
      let reason = JackMessages.reason(
        otherwise: error.map { String(cString: $0) } ?? "no reason given")
      throw .serverNotStarted(driver: driver, reason: reason + advice(on: reason))
    }
    return server
  }
}
