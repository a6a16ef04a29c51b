import CLo

/// A time tag: seconds since 1900 in 32.32 fixed point, as in NTP.
public struct OSCTime: Sendable, Equatable {
  public var rawValue: UInt64

  /// The time tag that means “at once”.
  public static let immediate = OSCTime(rawValue: 1)

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates a time by the machine's clock.
  public init(secondsFromNow seconds: Double) {
    let ahead = Int64((seconds * 0x1p32).rounded())
    rawValue = Self.now &+ UInt64(bitPattern: ahead)
  }

  /// The seconds from now by the machine's clock; negative for the past, 0 for the immediate time
  /// tag.
  public var secondsFromNow: Double {
    self == .immediate ? 0 : Double(Int64(bitPattern: rawValue &- Self.now)) / 0x1p32
  }

  private static var now: UInt64 {
    var time = lo_timetag()
    lo_timetag_now(&time)
    return UInt64(time.sec) << 32 | UInt64(time.frac)
  }
}
