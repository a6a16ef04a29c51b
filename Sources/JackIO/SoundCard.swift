import Glibc

/// A sound card listed by ALSA.
struct SoundCard: Equatable {
  /// The ALSA name: `hw:0`.
  var device: String
  /// The display name.
  var name: String
  var canCapture: Bool

  /// Returns the first card that plays and records, otherwise the first that plays; nil if there is
  /// none.
  static func find() -> SoundCard? { choose(from: contents(ofFile: "/proc/asound/pcm")) }

  /// Chooses a card from a listing with a line for every device, such as `00-00: ALC257 Analog :
  /// ALC257 Analog : playback 1 : capture 1`.
  static func choose(from listing: String) -> SoundCard? {
    let cards = listing.split(separator: "\n").compactMap(read)
    return cards.first(where: \.canCapture) ?? cards.first
  }

  /// Parses one line of the listing; nil for a device that does not play.
  private static func read(_ line: Substring) -> SoundCard? {
    let fields = line.split(separator: ":").map(trimmed)
    let numbers = fields.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard numbers.count == 2, fields.count > 1,
      fields.contains(where: { $0.hasPrefix("playback") })
    else { return nil }
    return SoundCard(
      device: numbers[1] == 0 ? "hw:\(numbers[0])" : "hw:\(numbers[0]),\(numbers[1])",
      name: fields[1], canCapture: fields.contains { $0.hasPrefix("capture") })
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the file's content; empty if it cannot be read.
  private static func contents(ofFile path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
