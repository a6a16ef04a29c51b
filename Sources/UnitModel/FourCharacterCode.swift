/// Four ASCII letters or digits in one number, Apple's way to name unit types; or the wildcard.
///
/// A literal is a code, too: `"ring"`, `"*"`. An invalid literal traps.
public struct FourCharacterCode: Sendable, Hashable, RawRepresentable {
  /// The code with its first character in the highest byte; 0 is the wildcard.
  public let rawValue: UInt32

  /// The wildcard, which matches every code; written `*`.
  public static let any = FourCharacterCode(unchecked: 0)

  /// Creates a code; nil unless `rawValue` is 0 or four letters or digits.
  public init?(rawValue: UInt32) {
    guard rawValue == 0 || Self.bytes(of: rawValue).allSatisfy(Self.isAllowed) else { return nil }
    self.rawValue = rawValue
  }

  /// Parses a code; nil unless `text` is `*` or four ASCII letters or digits.
  public init?(_ text: some StringProtocol) {
    if text == "*" {
      self = .any
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy(Self.isAllowed) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private init(unchecked rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Whether the code matches every code.
  public var isWildcard: Bool { rawValue == 0 }

  private static func bytes(of rawValue: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    guard let code = FourCharacterCode(text) else {
      preconditionFailure("“\(text)” is not four ASCII letters or digits, and not *")
    }
    self = code
  }
}

/// The types of units for `ComponentDescription.type`.
extension FourCharacterCode {
  public static let effect: Self = "aufx"
  public static let musicEffect: Self = "aumf"
  public static let instrument: Self = "aumu"
  public static let generator: Self = "augn"
  public static let mixer: Self = "aumx"
  public static let panner: Self = "aupn"
  public static let formatConverter: Self = "aufc"
  public static let offlineEffect: Self = "auol"
  public static let midiProcessor: Self = "aumi"

  /// Every type of unit, with its display name.
  public static let unitTypes: [(code: FourCharacterCode, name: String)] = [
    (.effect, "effect"), (.musicEffect, "music effect"), (.instrument, "instrument"),
    (.generator, "generator"), (.mixer, "mixer"), (.panner, "panner"),
    (.formatConverter, "format converter"), (.offlineEffect, "offline effect"),
    (.midiProcessor, "MIDI processor"),
  ]
}

/// Encoded as its text.
extension FourCharacterCode: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let code = FourCharacterCode(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a code"))
    }
    self = code
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters, or `*`.
  public var description: String {
    isWildcard ? "*" : String(decoding: Self.bytes(of: rawValue), as: UTF8.self)
  }
}
