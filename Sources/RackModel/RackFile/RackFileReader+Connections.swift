import Documents

extension RackFileReader {
  mutating func connections(_ value: YAMLValue) -> [ConnectionEntry] {
    guard case .sequence(let values) = value.content else {
      diagnostics.error(
        value.position,
        "“connections” must be a list of chains such as - mic -> ring -> main, "
          + "not \(value.kind)")
      return []
    }
    return values.compactMap { value in
      guard case .scalar(let text, _) = value.content, !value.isNull else {
        diagnostics.error(
          value.position, "a chain reads mic -> ring -> main; this is \(value.kind)")
        return nil
      }
      return chain(text, at: value.position)
    }
  }

  /// Cuts `a -> b ~> c` at its arrows; each part keeps its own position.
  mutating func chain(_ text: String, at start: SourcePosition) -> ConnectionEntry? {
    let scalars = Array(text.unicodeScalars)
    var origin = start
    if let quote = source[start], quote == "\"" || quote == "'" { origin.column += 1 }
    // A text folded over several lines, or with escapes, is not in the file as it reads.
    let isAsWritten = source.has(text, at: origin)
    func position(_ offset: Int) -> SourcePosition {
      isAsWritten ? SourcePosition(line: origin.line, column: origin.column + offset) : start
    }
    var chain = ConnectionEntry(endpoints: [], arrows: [])
    var partStart = 0
    func endpoint(upTo end: Int) -> Located<String> {
      var range = partStart..<end
      while let first = range.first, scalars[first].properties.isWhitespace {
        range = range.dropFirst()
      }
      while let last = range.last, scalars[last].properties.isWhitespace {
        range = range.dropLast()
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return Located(String(view), at: position(range.isEmpty ? partStart : range.lowerBound))
    }
    for index in scalars.indices.dropLast() where scalars[index + 1] == ">" {
      guard let arrow = Arrow(rawValue: "\(scalars[index])>") else { continue }
      chain.endpoints.append(endpoint(upTo: index))
      chain.arrows.append(Located(arrow, at: position(index)))
      partStart = index + 2
    }
    chain.endpoints.append(endpoint(upTo: scalars.count))
    guard !chain.arrows.isEmpty else {
      diagnostics.error(start, "“\(text)” has no arrow; a chain reads mic -> ring -> main")
      return nil
    }
    if let empty = chain.endpoints.first(where: { $0.value.isEmpty }) {
      diagnostics.error(empty.position, "an arrow in “\(text)” has nothing on one side")
      return nil
    }
    return chain
  }
}
