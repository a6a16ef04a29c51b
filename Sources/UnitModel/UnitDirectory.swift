/// Looks up the descriptions of units.
public protocol UnitDirectory {
  /// The units that a reference fits: empty where there is none, several where it is ambiguous.
  ///
  /// - Throws: `UnitRefusal` where the unit exists and cannot be used.
  func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts]

  /// The manifest of a unit whose code may not be loaded into the process that plays it, because it
  /// does not say that it may; nil for every other.
  func manifestWithoutConsent(of reference: UnitReference) -> String?

  /// The process of a unit for which the rack names none.
  func usualProcess(of reference: UnitReference) -> ProcessChoice

  /// The facts that are known without reading further files, for suggestions.
  var knownFacts: [UnitFacts] { get }
}

extension UnitDirectory {
  /// A known unit by its component or by its name, whatever the case.
  public func knownFacts(named text: String) -> UnitFacts? {
    knownFacts.first {
      $0.name.lowercased() == text.lowercased() || $0.component.description == text
    }
  }
}

/// Why a unit that exists cannot be used.
public struct UnitRefusal: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// `FILE:LINE:COLUMN`; nil where the reason is not about a place in a file.
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

  /// Facts alone come from no bundle.
  public func manifestWithoutConsent(of reference: UnitReference) -> String? { nil }
  public func usualProcess(of reference: UnitReference) -> ProcessChoice { .host }

  public var knownFacts: [UnitFacts] { self }
}
