/// The content of a datagram: a message, or a bundle of messages and bundles.
public enum OSCPacket {
  public struct Element: Sendable, Equatable {
    public var message: OSCMessage
    /// The time tag of the enclosing bundle; immediate without one.
    public var time: OSCTime

    public init(_ message: OSCMessage, time: OSCTime = .immediate) {
      (self.message, self.time) = (message, time)
    }
  }

  /// The maximum nesting depth of bundles.
  private static let maximumDepth = 8

  /// Returns the messages of a datagram, in order.
  ///
  /// - Throws: `OSCError` if any part is not OSC.
  public static func elements(of bytes: [UInt8]) throws(OSCError) -> [Element] {
    var elements: [Element] = []
    try read(bytes[...], at: .immediate, depth: 0, into: &elements)
    return elements
  }

  private static func read(
    _ bytes: ArraySlice<UInt8>, at time: OSCTime, depth: Int, into elements: inout [Element]
  ) throws(OSCError) {
    guard bytes.count % 4 == 0 else { throw OSCError("its size is not a multiple of four") }
    guard bytes.starts(with: bundleMark) else {
      elements.append(Element(try OSCMessage(bytes), time: time))
      return
    }
    guard depth < maximumDepth else { throw OSCError("it nests too many bundles") }
    var rest = bytes.dropFirst(bundleMark.count)
    let own = OSCTime(rawValue: try number(8, from: &rest))
    while !rest.isEmpty {
      let size = Int(try number(4, from: &rest))
      guard size <= rest.count else { throw OSCError("a part of it is longer than the packet") }
      try read(rest.prefix(size), at: own, depth: depth + 1, into: &elements)
      rest = rest.dropFirst(size)
    }
  }

  private static let bundleMark = Array("#bundle\0".utf8)

  private static func number(
    _ size: Int, from bytes: inout ArraySlice<UInt8>
  ) throws(OSCError) -> UInt64 {
    guard bytes.count >= size else { throw OSCError("it ends within a bundle") }
    defer { bytes = bytes.dropFirst(size) }
    return bytes.prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns an encoded bundle of messages.
  public static func bundle(
    _ messages: some Sequence<OSCMessage>, at time: OSCTime = .immediate
  ) -> [UInt8] {
    messages.reduce(into: bundleMark + bytes(time.rawValue, 8)) { bundle, message in
      let content = message.bytes
      bundle += bytes(UInt64(content.count), 4) + content
    }
  }

  private static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// Returns as few bundles as possible, each small enough for one network packet.
  public static func bundles(_ messages: [OSCMessage]) -> [[UInt8]] {
    var bundles: [[UInt8]] = []
    var held: [OSCMessage] = []
    var size = 0
    for message in messages {
      let length = message.bytes.count + 4
      if size + length > maximumBytes, !held.isEmpty {
        bundles.append(bundle(held))
        (held, size) = ([], 0)
      }
      held.append(message)
      size += length
    }
    if !held.isEmpty { bundles.append(bundle(held)) }
    return bundles
  }

  /// The largest bundle, bytes: Ethernet's 1500 minus the headers of UDP and IPv6.
  private static let maximumBytes = 1400
}
