/// Changes bytes as damage, a slip of an editor or an attacker does; the same for the same seed.
package struct Mutator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Texts that have caused errors in readers.
  private static let tokens = [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e308", "-1e308", "nan",
    "inf", "1e-320", "-1", "0", "4294967296", "[", "{", "}", "]", ": ", "- ", "\n", "\t", "\"", "'",
    "&a ", "*a", "!!x ", "|", ">", "~", "null", "->", "~>", "@", "%", "\u{FEFF}", "é", "\0",
    "MTrk", "RIFF", "data", "\u{7F}", "#", "? ", "---\n", "channel 17", "bar 1e9", ".",
  ].map { Array($0.utf8) }

  /// Returns the bytes with one to eight changes.
  package mutating func mutated(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...below(8) {
      let start = below(bytes.count + 1)
      let end = min(bytes.count, start + below(1 << below(10)))
      switch below(8) {
      case 0 where start < bytes.count: bytes[start] ^= 1 << UInt8(below(8))
      case 1 where start < bytes.count: bytes[start] = [0, 1, 0x7F, 0x80, 0xFF][below(5)]
      case 2: bytes.removeSubrange(start..<end)
      case 3: bytes.insert(contentsOf: bytes[start..<end], at: below(bytes.count + 1))
      case 4: bytes.removeSubrange(start...)
      case 5, 6: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: start)
      default:
        // Replace the next number.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = bytes[start...].firstIndex(where: digits.contains) else { continue }
        let last = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(first..<last, with: Self.tokens[below(11)])
      }
    }
    return bytes
  }

  private mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(limit, 1)))
  }
}
