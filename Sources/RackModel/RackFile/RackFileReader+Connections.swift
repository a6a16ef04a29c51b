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
      return chain(text, at: value)
    }
  }

  /// Cuts `a -> b ~> c` at its arrows; each part keeps its own position.
  mutating func chain(_ text: String, at value: YAMLValue) -> ConnectionEntry? {
    let scalars = Array(text.unicodeScalars)
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
      return Located(
        String(view), at: value.position(ofCharacter: range.first ?? partStart))
    }
    for index in scalars.indices.dropLast() where scalars[index + 1] == ">" {
      guard let arrow = Arrow(rawValue: "\(scalars[index])>") else { continue }
      chain.endpoints.append(endpoint(upTo: index))
      chain.arrows.append(Located(arrow, at: value.position(ofCharacter: index)))
      partStart = index + 2
    }
    chain.endpoints.append(endpoint(upTo: scalars.count))
    guard !chain.arrows.isEmpty else {
      diagnostics.error(value.position, "“\(text)” has no arrow; a chain reads mic -> ring -> main")
      return nil
    }
    if let empty = chain.endpoints.first(where: { $0.value.isEmpty }) {
      diagnostics.error(empty.position, "an arrow in “\(text)” has nothing on one side")
      return nil
    }
    return chain
  }
}
