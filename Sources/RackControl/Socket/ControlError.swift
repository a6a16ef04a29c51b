import Glibc

/// The readable reason why a rack cannot be controlled through its socket.
public struct ControlError: Error, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }

  /// Creates an error with the path and the reason in `errno`.
  init(path: String) { self.init("\(path): \(String(cString: strerror(errno)))") }
}
