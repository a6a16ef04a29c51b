import Foundation

/// What the process that runs a unit tells the one that asked for it; a line of JSON each.
package enum ChildMessage: Codable, Sendable {
  case unit(ListedUnit)
  /// The library offers no units; why.
  case refused(String)
  case started(check: String)
  /// What the check is about to do.
  case note(String)
  case finished(CheckReport)

  package var line: Data {
    (try? JSONEncoder().encode(self)).map { $0 + Data([0x0A]) } ?? Data()
  }
}

/// A unit that a library offers.
public struct ListedUnit: Codable, Sendable {
  /// Its place in the library's table.
  public var index: Int
  /// "aufx/ring/bkln".
  public var component: String
  public var name: String
  public var version: String
}
