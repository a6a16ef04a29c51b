/// Four ASCII letters or digits in one number, as Apple names the kinds of units; or the wildcard.
public struct FourCharacterCode: Sendable, Hashable, RawRepresentable, Codable {
  /// The first character in the highest byte; 0 is the wildcard.
  public let rawValue: UInt32

  /// Matches every code; written `*`.
  public static let any = FourCharacterCode(unchecked: 0)

  /// Nil unless `rawValue` is 0 or four letters or digits.
  public init?(rawValue: UInt32) {
    guard rawValue == 0 || Self.bytes(of: rawValue).allSatisfy(Self.isAllowed) else { return nil }
    self.rawValue = rawValue
  }

  /// Nil unless `text` is `*` or four ASCII letters or digits.
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

  /// Whether this is the wildcard.
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

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters, or `*`.
  public var description: String {
    isWildcard ? "*" : String(decoding: Self.bytes(of: rawValue), as: UTF8.self)
  }
}
