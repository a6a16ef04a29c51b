import CConfinement
import FoundationEssentials
import Glibc

/// What the process that runs a unit tells the one that asked for it; a line of JSON each.
package enum ChildMessage: Codable, Sendable {
  case unit(ListedUnit)
  /// The library offers no units; why.
  case refused(String)
  case started(check: String)
  /// What the check is about to do.
  case note(String)
  case finished(CheckReport)
  /// A call that units may not make; why. The unit's process writes it within a signal handler.
  case refusal(String)
  /// What the system has not got to confine units.
  case lack(String)

  /// Nil for a line that is none of these.
  init?(line: Data) {
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix(BL_REFUSAL_PREFIX) {
      self = .refusal(text)
    } else if let message = try? JSONDecoder().decode(ChildMessage.self, from: line) {
      self = message
    } else {
      return nil
    }
  }

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
