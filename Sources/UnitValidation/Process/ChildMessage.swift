import CConfinement
import FoundationEssentials
import Glibc

/// A message from the process that runs checks to the process that started it; a line of JSON.
package enum ChildMessage: Codable, Sendable {
  case unit(ListedUnit)
  /// The library has no units that can be checked, for this reason.
  case refused(String)
  case started(check: String)
  /// The next step of the check.
  case note(String)
  case finished(CheckReport)
  /// A refused system call and the reason; written in a signal handler.
  case refusal(String)
  /// The mechanisms for confining units that the system lacks.
  case missingConfinement(String)

  /// Parses a message; nil for any other line.
  init?(line: some Sequence<UInt8>) {
    let line = Data(line)
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

/// A unit in a library.
public struct ListedUnit: Codable, Sendable {
  /// The index in the library's table.
  public var index: Int
  /// The unit's description; "aufx/ring/bkln".
  public var component: String
  public var name: String
  public var version: String

  package init(index: Int, component: String, name: String, version: String) {
    (self.index, self.component) = (index, component)
    (self.name, self.version) = (name, version)
  }
}
