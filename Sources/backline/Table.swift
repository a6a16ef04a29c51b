/// Rows of text in aligned columns.
enum Table {
  /// The largest width of a column. A longer cell, such as a plug-in's name, shifts only the rest of its own row.
  private static let widest = 48

  /// Returns a line for each row, with two spaces between columns. The columns in `right` are aligned to the right.
  static func lines(_ rows: [[String]], right: Range<Int> = 0..<0) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      min(rows.map { $0[column].count }.max() ?? 0, widest)
    }
    return rows.map { row in
      row.indices.map { row[$0].padded(to: widths[$0], left: right.contains($0)) }
        .joined(separator: "  ").trimmingTrailingSpaces()
    }
  }
}

extension String {
  /// Returns the text padded with spaces at the end, or at the left.
  func padded(to count: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, count - self.count))
    return left ? space + self : self + space
  }

  func trimmingTrailingSpaces() -> String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
