/// A position in a text file, as editors count: the first line and column are 1.
public struct SourcePosition: Sendable, Hashable, Codable {
  public var line: Int
  /// The column, in characters (Unicode scalars).
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of values that no file contains.
  public static let nowhere = SourcePosition(line: 0, column: 0)

  /// Creates the position of a byte in a UTF-8 text.
  init(ofByte offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    let before = text[..<min(offset, text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
  }
}

extension SourcePosition: Comparable {
  public static func < (first: SourcePosition, second: SourcePosition) -> Bool {
    (first.line, first.column) < (second.line, second.column)
  }
}
