import CLo

/// An address pattern: `/echo/*`, `/mix/[1-4]/gain`, `/{echo,room}/mix`.
///
/// Matching is done part by part, so a `*` does not match a slash.
public struct OSCPattern: Sendable {
  private let parts: [String]

  /// The characters that make an address a pattern, and that a plain address cannot contain.
  public static let signs = Set(" #*,?[]{}")

  public static func isPattern(_ address: String) -> Bool {
    address.contains(where: signs.contains)
  }

  /// - Throws: `OSCError` if matching would take too long, since it backtracks to each position where a
  ///   `*` or a `{` may end.
  public init(_ text: String) throws(OSCError) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isSimple = parts.allSatisfy { $0.count { "*{".contains($0) } <= 2 }
    guard text.utf8.count <= 255, isSimple else {
      throw OSCError("a pattern has at most 255 bytes, and two of * and { between two slashes")
    }
  }

  public func matches(_ address: String) -> Bool {
    let own = address.split(separator: "/", omittingEmptySubsequences: false)
    return own.count == parts.count
      && zip(own, parts).allSatisfy { lo_pattern_match(String($0), $1) != 0 }
  }
}
