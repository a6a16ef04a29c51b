/// A text that can be looked up, and changed, by position.
package struct SourceText {
  private var lines: [[Unicode.Scalar]]

  package init(_ text: String) {
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(Array.init)
  }

  var text: String {
    var view = String.UnicodeScalarView()
    for line in lines {
      view.append(contentsOf: line)
      view.append("\n")
    }
    return String(view)
  }

  package subscript(position: SourcePosition) -> Unicode.Scalar? {
    get { contains(position) ? lines[position.line - 1][position.column - 1] : nil }
    set {
      guard let newValue, contains(position) else { return }
      lines[position.line - 1][position.column - 1] = newValue
    }
  }

  /// Does `text` stand at `position`, letter for letter?
  package func has(_ text: String, at position: SourcePosition) -> Bool {
    guard lines.indices.contains(position.line - 1), position.column >= 1 else { return false }
    return lines[position.line - 1].dropFirst(position.column - 1).starts(with: text.unicodeScalars)
  }

  /// Where an anchor could stand: each `&` that does not go on a word. Quotes and comments are not
  /// looked at, so there may be too many, never too few.
  func possibleAnchors() -> [SourcePosition] {
    lines.enumerated().flatMap { line, scalars in
      scalars.indices.filter { column in
        scalars[column] == "&" && !(column > 0 && Self.isWord(scalars[column - 1]))
      }.map { SourcePosition(line: line + 1, column: $0 + 1) }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
  }

  private func contains(_ position: SourcePosition) -> Bool {
    lines.indices.contains(position.line - 1)
      && lines[position.line - 1].indices.contains(position.column - 1)
  }
}
