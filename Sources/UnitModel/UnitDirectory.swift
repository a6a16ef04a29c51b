/// Where units are looked up by those who want to know of them, not to play them.
public protocol UnitDirectory {
  /// The units that are meant: none where there is none, several where the reference leaves it open.
  ///
  /// - Throws: `UnitRefusal` where there is such a unit and something is wrong with it.
  func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts]

  /// Units as far as they are known without much ado, for suggestions.
  var knownFacts: [UnitFacts] { get }
}

/// Why a unit that is there cannot be used; a sentence without a full stop.
public struct UnitRefusal: Error, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

extension [UnitFacts]: UnitDirectory {
  public func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts] {
    if case .bundle(let path) = reference.subject {
      throw UnitRefusal("there is no bundle “\(path)”")
    }
    return reference.choose(from: self)
  }

  public var knownFacts: [UnitFacts] { self }
}
