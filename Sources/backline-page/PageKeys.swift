import AsyncSupport
import Documents
import FoundationEssentials
import Glibc

/// The rights of a page.
enum PageRole: String, Codable, Sendable {
  /// Everything.
  case edit
  /// Play: scenes, songs, tempo, panic; not edit.
  case stage
}

/// The keys and the devices that may connect. A key can be exchanged once for a device's token.
///
/// Keys and tokens have 128 random bits and cannot be guessed. So attempts are not limited, as a limit could lock
/// out known devices.
final class PageKeys: Sendable {
  struct Device: Codable, Sendable {
    /// The public identifier of the device, in place of its secret token.
    var id: String
    /// The readable name: “Firefox on Android”.
    var name: String
    var token: String
    var role: PageRole
    /// The time of the key's exchange, in seconds since 1970.
    var since: Double
  }

  private struct Key {
    var text: String
    var role: PageRole
    var issued = ContinuousClock.now
  }

  static let lifetime = Duration.seconds(300)
  private static let maximumDevices = 100
  private static let maximumKeys = 100

  private let file: SharedFile<[Device]>
  private let keys = Guarded<[Key]>([])
  private let lastDevices = Guarded<[Device]>([])

  /// - Parameter file: the file of devices, readable only by its owner, as it contains the tokens.
  init(file: String) { self.file = SharedFile(file, empty: []) }

  /// The devices in the file, which a person or another page's process may have changed; the former devices while
  /// the file is damaged. If devices were removed, all unused keys become void, as a removed device may have
  /// requested them.
  var devices: [Device] {
    lastDevices.withLock { last in
      guard let devices = try? file.read() else { return last }
      let known = Set(devices.map(\.id))
      if last.contains(where: { !known.contains($0.id) }) { keys.withLock { $0 = [] } }
      last = devices
      return devices
    }
  }

  /// Creates a key of 128 random bits and returns it.
  func issue(_ role: PageRole) -> String {
    let text = Self.random()
    keys.withLock { $0 = $0.suffix(Self.maximumKeys - 1) + [Key(text: text, role: role)] }
    return text
  }

  /// Exchanges a key for a new device; returns nil for a wrong, used or old key.
  ///
  /// - Parameter name: the readable name of the device.
  func exchange(key: String, name: String) throws(Refusal) -> Device? {
    let role: PageRole? = keys.withLock { keys in
      keys.removeAll { ContinuousClock.now - $0.issued > Self.lifetime }
      let index = keys.firstIndex { Self.areEqual($0.text, key) }
      return index.map { keys.remove(at: $0).role }
    }
    guard let role else { return nil }
    let device = Device(
      id: Self.random(), name: name, token: Self.random(), role: role,
      since: Date().timeIntervalSince1970)
    try change { $0 = $0.suffix(Self.maximumDevices - 1) + [device] }
    return device
  }

  /// Returns the device of a token; nil if the token is unknown or was revoked.
  func device(token: String) -> Device? { devices.first { Self.areEqual($0.token, token) } }

  /// Removes a device and returns it; nil if there is none. Its token is void then.
  func revoke(_ id: String) throws(Refusal) -> Device? {
    try change { devices in
      devices.firstIndex { $0.id == id }.map { devices.remove(at: $0) }
    }
  }

  private func change<Answer>(_ body: (inout [Device]) -> Answer) throws(Refusal) -> Answer {
    let before = umask(0o077)
    defer { umask(before) }
    do {
      return try file.change(body)
    } catch {
      throw Refusal("the list of devices cannot be changed: \(error)")
    }
  }

  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let part = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - part.count) + part
    }.joined()
  }

  /// Compares two texts in constant time.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
