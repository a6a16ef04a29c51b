import Glibc

/// Why a rack cannot be controlled from outside, for people.
public struct ControlError: Error, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }

  /// With the reason that `errno` holds.
  init(path: String) { self.init("\(path): \(String(cString: strerror(errno)))") }
}
