import AsyncSupport
import Documents
import FoundationEssentials
import Glibc

/// What a page may do.
enum PageRole: String, Codable, Sendable {
  /// Everything.
  case edit
  /// Play: scenes, songs, tempo, panic; not edit.
  case stage
}

/// Who may connect: a key, which can be used once, is exchanged for a device's token.
///
/// Both have 128 random bits, which nobody guesses; so there is no limit of attempts, by which one who
/// guesses could lock out those who know.
final class PageKeys: Sendable {
  struct Device: Codable, Sendable {
    var token: String
    var role: PageRole
    /// Seconds since 1970.
    var since: Double
  }

  private struct Key {
    var text: String
    var role: PageRole
    var issued = ContinuousClock.now
  }

  private struct State: Sendable {
    var keys: [Key] = []
    var devices: [Device] = []
  }

  static let lifetime = Duration.seconds(300)
  private static let mostDevices = 100

  private let file: String
  private let state: Guarded<State>

  /// - Parameter file: keeps the devices; whoever reads it can connect, so only its owner may.
  init(file: String) {
    self.file = file
    var state = State()
    if let bytes = try? WholeFile.read(file, limit: 1 << 20),
      let devices = try? JSONDecoder().decode([Device].self, from: Data(bytes))
    {
      state.devices = devices
    }
    self.state = Guarded(state)
  }

  /// A new key of 128 random bits.
  func issue(_ role: PageRole) -> String {
    let text = Self.random()
    state.withLock { $0.keys.append(Key(text: text, role: role)) }
    return text
  }

  /// Exchanges a key for a device; nil for a wrong, used or old one.
  func exchange(key: String) -> Device? {
    let device: Device? = state.withLock { state in
      state.keys.removeAll { ContinuousClock.now - $0.issued > Self.lifetime }
      guard let place = state.keys.firstIndex(where: { Self.areEqual($0.text, key) }) else {
        return nil
      }
      let role = state.keys.remove(at: place).role
      let device = Device(token: Self.random(), role: role, since: Date().timeIntervalSince1970)
      state.devices = state.devices.suffix(Self.mostDevices - 1) + [device]
      return device
    }
    if device != nil { save() }
    return device
  }

  /// The device of a token; nil if it is unknown or was revoked.
  func device(token: String) -> Device? {
    state.withLock { $0.devices.first { Self.areEqual($0.token, token) } }
  }

  private func save() {
    let devices = state.withLock(\.devices)
    guard let data = try? JSONEncoder().encode(devices) else { return }
    let before = umask(0o077)
    try? WholeFile.write(Array(data), to: file)
    umask(before)
  }

  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let part = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - part.count) + part
    }.joined()
  }

  /// In a time that does not say how much is equal.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
