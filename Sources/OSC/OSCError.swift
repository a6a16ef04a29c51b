import Glibc

/// Why a packet is not OSC, or a socket or an address cannot be used; for people.
public struct OSCError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// Whether another program uses the port.
  public private(set) var isTaken = false

  init(_ description: String) { self.description = description }

  /// With the reason that `errno` holds.
  init(_ subject: String, errno number: Int32) {
    self.init("\(subject): \(String(cString: strerror(number)))")
    isTaken = number == EADDRINUSE
  }
}
