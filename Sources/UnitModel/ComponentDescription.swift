/// The key under which a unit is found: type, subtype and manufacturer; `aufx/ring/bkln`.
public struct ComponentDescription: Sendable, Hashable, Codable {
  /// The kind of unit: `aufx` effect, `aumu` instrument, `augn` generator, `aumx` mixer ...
  public var type: FourCharacterCode
  public var subtype: FourCharacterCode
  public var manufacturer: FourCharacterCode

  public init(
    type: FourCharacterCode, subtype: FourCharacterCode, manufacturer: FourCharacterCode
  ) {
    self.type = type == Self.musicEffectAlias ? Self.musicEffect : type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// Nil unless `text` is three codes with slashes between, each four characters or `*`.
  ///
  /// The type `aufm`, which one of Apple's tables has for the music effect, is read as `aumf`.
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

  /// Is `other` one of the units that this description stands for? A wildcard here fits any code.
  public func matches(_ other: ComponentDescription) -> Bool {
    (type.isWildcard || type == other.type)
      && (subtype.isWildcard || subtype == other.subtype)
      && (manufacturer.isWildcard || manufacturer == other.manufacturer)
  }

  private static let musicEffect = FourCharacterCode("aumf") ?? .any
  private static let musicEffectAlias = FourCharacterCode("aufm") ?? .any
}

extension ComponentDescription: CustomStringConvertible {
  /// The three codes with slashes between; `aufx/*/bkln`.
  public var description: String { "\(type)/\(subtype)/\(manufacturer)" }
}
