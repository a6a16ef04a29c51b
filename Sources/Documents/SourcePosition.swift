/// A place in a text file, as editors count: the first line and column are 1.
public struct SourcePosition: Sendable, Hashable, Codable {
  public var line: Int
  /// In characters (Unicode scalars).
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourcePosition: Comparable {
  public static func < (first: SourcePosition, second: SourcePosition) -> Bool {
    (first.line, first.column) < (second.line, second.column)
  }
}
