/// Received bytes, cut into lines at line feeds.
package struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []

  package init() {}

  /// The number of bytes that were not removed yet.
  package var count: Int { bytes.count }

  package mutating func append(_ received: some Sequence<UInt8>) { bytes += received }

  /// Ends the last line, which may have no line feed.
  package mutating func end() { if !bytes.isEmpty { bytes.append(Self.lineFeed) } }

  package mutating func removeAll() { bytes = [] }

  /// Removes and returns the next line, without its line feed; nil if none is complete.
  package mutating func pop() -> [UInt8]? {
    guard let end = bytes.firstIndex(of: Self.lineFeed) else { return nil }
    defer { bytes.removeFirst(end + 1) }
    return Array(bytes[..<end])
  }

  /// Drops the bytes of an incomplete line beyond `length`.
  package mutating func truncate(to length: Int) {
    bytes.removeLast(max(0, bytes.count - length))
  }

  private static let lineFeed = UInt8(ascii: "\n")
}
