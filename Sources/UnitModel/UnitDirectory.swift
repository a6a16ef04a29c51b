/// Looks up the descriptions of units.
public protocol UnitDirectory {
  /// Returns the units that a reference matches: empty if there is none, several if it is
  /// ambiguous.
  ///
  /// - Throws: `UnitRefusal` if the unit exists and cannot be used.
  func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts]

  /// Returns the manifest of a unit that does not allow loading into the process that plays it; nil
  /// for every other unit.
  func manifestWithoutConsent(of reference: UnitReference) -> String?

  /// Returns the process of a unit for which the rack names none.
  func defaultProcess(of reference: UnitReference) -> ProcessChoice

  /// The facts known without reading further files, for suggestions.
  var knownFacts: [UnitFacts] { get }
}

extension UnitDirectory {
  /// Returns a known unit by its component or by its name, regardless of case.
  public func knownFacts(named text: String) -> UnitFacts? {
    knownFacts.first {
      $0.name.lowercased() == text.lowercased() || $0.component.description == text
    }
  }
}

/// The reason why an existing unit cannot be used.
public struct UnitRefusal: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The position as `FILE:LINE:COLUMN`; nil if the reason does not concern a file.
  public var place: String?
  /// A sentence without a full stop.
  public var reason: String
  public var description: String { place.map { "\($0): \(reason)" } ?? reason }

  public init(_ reason: String, at place: String? = nil) {
    (self.reason, self.place) = (reason, place)
  }
}

extension [UnitFacts]: UnitDirectory {
  public func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts] {
    if case .bundle(let path) = reference.subject {
      throw UnitRefusal("there is no bundle “\(path)”")
    }
    return reference.choose(from: self)
  }

  /// Returns nil, since facts alone come from no bundle.
  public func manifestWithoutConsent(of reference: UnitReference) -> String? { nil }
  public func defaultProcess(of reference: UnitReference) -> ProcessChoice { .host }

  public var knownFacts: [UnitFacts] { self }
}
