import Glibc

/// The reason why a packet is not OSC, or a socket or an address cannot be used; for messages.
public struct OSCError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// Whether another program uses the port.
  public private(set) var isTaken = false

  init(_ description: String) { self.description = description }

  /// Creates an error with the reason of an `errno` value.
  init(_ subject: String, errno number: Int32) {
    self.init("\(subject): \(String(cString: strerror(number)))")
    isTaken = number == EADDRINUSE
  }
}
