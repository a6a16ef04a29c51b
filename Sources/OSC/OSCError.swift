import Glibc

/// Why something is no OSC, or cannot come or go; for people.
public struct OSCError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// Has somebody else the port?
  public private(set) var isTaken = false

  init(_ description: String) { self.description = description }

  /// With the reason that `errno` holds.
  init(_ what: String, errno number: Int32) {
    self.init("\(what): \(String(cString: strerror(number)))")
    isTaken = number == EADDRINUSE
  }
}
