import Glibc

/// A time tag: seconds since 1900 in 32.32 bits, as NTP has them.
public struct OSCTime: Sendable, Equatable {
  public var rawValue: UInt64

  /// What means “at once”.
  public static let immediate = OSCTime(rawValue: 1)

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// So many seconds from now, by the machine's clock.
  public init(secondsFromNow seconds: Double) {
    let ahead = Int64((seconds * Self.unit).rounded())
    rawValue = Self.now &+ UInt64(bitPattern: ahead)
  }

  /// How far ahead it lies by the machine's clock, in seconds; below 0 once it has passed. The
  /// immediate one has passed.
  public var secondsFromNow: Double {
    self == .immediate ? 0 : Double(Int64(bitPattern: rawValue &- Self.now)) / Self.unit
  }

  /// 2^32
  private static let unit = 4_294_967_296.0
  /// From 1900 to 1970.
  private static let epoch: UInt64 = 2_208_988_800

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let fraction = (UInt64(time.tv_nsec) << 32) / 1_000_000_000
    // The seconds begin again in 2036; differences hold.
    return (UInt64(time.tv_sec) &+ epoch) << 32 | fraction
  }
}
