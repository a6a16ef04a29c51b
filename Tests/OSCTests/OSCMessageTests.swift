import Glibc
import Testing

@testable import OSC

struct OSCMessageTests {
  /// The expected bytes are written by hand, after the specification's example of a message.
  @Test func bytesAreThoseOfTheSpecification() throws {
    let message = OSCMessage("/oscillator/4/frequency", .number(440.0))
    let bytes =
      Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0x00, 0x00]
    #expect(message.bytes == bytes)
    #expect(try OSCPacket.elements(of: bytes) == [.init(message)])
  }

  @Test func everyKindOfArgumentComesAndGoes() throws {
    let message = OSCMessage(
      "/a b/ü", .integer(-3), .integer(1 << 40), .number(0.5), .text(""), .text("30 %"),
      .boolean(true), .boolean(false), .impulse, .other)
    #expect(try OSCPacket.elements(of: message.bytes) == [.init(message)])
    #expect(
      message.arguments.map(\.written)
        == ["-3", "1099511627776", "0.5", "", "30 %", "true", "false", nil, nil])
    // A double, a symbol, a character and a time tag, by hand.
    let others =
      Array("/x\0\0,dSct\0\0\0".utf8) + [0x3F, 0xD0, 0, 0, 0, 0, 0, 0] + Array("yes\0".utf8)
      + [0, 0, 0, 65] + [UInt8](repeating: 1, count: 8)
    #expect(
      try OSCPacket.elements(of: others)
        == [.init(OSCMessage("/x", .number(0.25), .text("yes"), .text("A"), .other))])
  }

  @Test func bundlesInBundlesKeepTheirTimes() throws {
    let (first, second) = (OSCMessage("/a", .integer(1)), OSCMessage("/b", .text("x")))
    let inner = OSCPacket.bundle([second], at: OSCTime(rawValue: 99))
    var outer = OSCPacket.bundle([first], at: OSCTime(rawValue: 7))
    outer += [0, 0, 0, UInt8(inner.count)] + inner
    #expect(
      try OSCPacket.elements(of: outer) == [
        .init(first, time: OSCTime(rawValue: 7)), .init(second, time: OSCTime(rawValue: 99)),
      ])
    #expect(try OSCPacket.elements(of: OSCPacket.bundle([])).isEmpty)
  }

  @Test func manyMessagesGoInBundlesThatFit() throws {
    let messages = (0..<200).map { OSCMessage("/list/parameter", .text("/echo/mix"), .integer($0)) }
    let bundles = OSCPacket.bundles(messages)
    #expect(bundles.count > 3 && bundles.allSatisfy { $0.count <= 1424 })
    #expect(try bundles.flatMap { try OSCPacket.elements(of: $0).map(\.message) } == messages)
  }

  @Test(
    arguments: [
      [], [0], Array("/abc".utf8), Array("/abc\0\0\0\0".utf8), Array("/abc\0\0\0\0f\0\0\0".utf8),
      // A float that is not there, a text without an end, a type that there is not.
      Array("/a\0\0,f\0\0".utf8), Array("/a\0\0,s\0\0abcd".utf8), Array("/a\0\0,Q\0\0".utf8),
      // Blobs: one that is whole, one longer than all there is, one that is cut off.
      Array("/a\0\0,b\0\0".utf8) + [0, 0, 0, 4, 1, 2, 3, 4],
      Array("/a\0\0,b\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], Array("/a\0\0,b\0\0".utf8),
      // More arguments, and fewer, than it says.
      Array("/a\0\0,i\0\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 2],
      // A bundle without its time, with half a size, with a part that is too long.
      Array("#bundle\0".utf8), Array("#bundle\0".utf8) + [UInt8](repeating: 0, count: 10),
      Array("#bundle\0".utf8) + [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0xFF, 0xFC],
      Array("#bundle\0".utf8) + [UInt8](repeating: 0, count: 12),
    ] as [[UInt8]])
  func whatIsNoPacketIsRefused(bytes: [UInt8]) {
    #expect(throws: OSCError.self) { try OSCPacket.elements(of: bytes) }
  }

  @Test func bundlesTooDeepAreRefused() throws {
    func nested(_ depth: Int) -> [UInt8] {
      (1..<depth).reduce(OSCPacket.bundle([OSCMessage("/a")])) { inner, _ in
        OSCPacket.bundle([]) + [0, 0, UInt8(inner.count >> 8), UInt8(inner.count & 255)] + inner
      }
    }
    #expect(try OSCPacket.elements(of: nested(8)).count == 1)
    #expect(throws: OSCError.self) { try OSCPacket.elements(of: nested(9)) }
  }

  /// A packet that is damaged on its way is understood or refused.
  @Test func packetsThatAreSpoiltDoNoHarm() {
    var random = SystemRandomNumberGenerator()
    let whole =
      OSCPacket.bundle([
        OSCMessage("/echo/mix", .number(0.3), .text("30 %"), .integer(1 << 40), .boolean(true)),
        OSCMessage("/{a,b}*/[!x]"),
      ]) + [0, 0, 0, 20] + OSCPacket.bundle([])
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes = Array(bytes.prefix(4 * .random(in: 0...(bytes.count / 4), using: &random)))
      }
      do { _ = try OSCPacket.elements(of: bytes) } catch { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test func timesAreAheadOrHavePassed() {
    #expect(OSCTime.immediate.secondsFromNow == 0)
    #expect(OSCTime(rawValue: 0).secondsFromNow != 0)
    for ahead in [-3600.0, -0.5, 0.25, 30] {
      let seconds = OSCTime(secondsFromNow: ahead).secondsFromNow
      #expect(seconds <= ahead + 1e-6 && seconds > ahead - 60)
    }
  }

  /// 2208988800 s lie between 1900 and 1970 (RFC 868).
  @Test func timesCountFrom1900() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let tag = OSCTime(secondsFromNow: 0).rawValue >> 32
    #expect((0...60).contains(Int64(tag) - Int64(now.tv_sec) - 2_208_988_800))
  }
}
