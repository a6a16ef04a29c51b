import Documents

/// Identifies a unit by type, subtype and manufacturer; `aufx/ring/bkln`.
public struct ComponentDescription: Sendable, Hashable {
  /// `.effect`, `.instrument`, `.generator`, `.mixer` …
  public var type: FourCharacterCode
  public var subtype: FourCharacterCode
  public var manufacturer: FourCharacterCode

  /// A description with the codes given; a code that is left out matches every code.
  public init(
    type: FourCharacterCode = .any, subtype: FourCharacterCode = .any,
    manufacturer: FourCharacterCode = .any
  ) {
    self.type = type == "aufm" ? .musicEffect : type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// Nil unless `text` is three codes with slashes between, each four characters or `*`.
  ///
  /// The type `aufm`, the music effect in one of Apple's tables, is read as `aumf`.
  public init?(_ text: some StringProtocol) {
    let codes = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { FourCharacterCode($0) }
    guard codes.count == 3, let type = codes[0], let subtype = codes[1],
      let manufacturer = codes[2]
    else { return nil }
    self.init(type: type, subtype: subtype, manufacturer: manufacturer)
  }

  /// Whether one of the three codes is the wildcard.
  public var hasWildcard: Bool {
    type.isWildcard || subtype.isWildcard || manufacturer.isWildcard
  }

  /// Whether `other` has the codes of this description; a wildcard of this description matches any code.
  public func matches(_ other: ComponentDescription) -> Bool {
    (type.isWildcard || type == other.type)
      && (subtype.isWildcard || subtype == other.subtype)
      && (manufacturer.isWildcard || manufacturer == other.manufacturer)
  }
}

/// Encoded as its text.
extension ComponentDescription: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let description = ComponentDescription(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a component"))
    }
    self = description
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ComponentDescription: WrittenValue {
  /// A single component: three codes, none of which is the wildcard.
  package init(written text: String) throws(Refusal) {
    guard let component = ComponentDescription(text), !component.hasWildcard else {
      throw Refusal(
        "“\(text)” is not a unit; write type/subtype/manufacturer, as in aufx/dely/bkln")
    }
    self = component
  }

  /// The three codes with slashes between; `aufx/*/bkln`.
  public var description: String { "\(type)/\(subtype)/\(manufacturer)" }
}
