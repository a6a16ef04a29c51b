import Documents

extension Rack.Chain {
  /// The chain as in a rack file.
  public var text: String {
    zip(arrows, endpoints.dropFirst()).reduce(endpoints.first?.value ?? "") { text, step in
      "\(text) \(step.0.value.rawValue) \(step.1.value)"
    }
  }

  /// Returns the chain as text, without spaces around its arrows if the chain `item` of the file has none.
  func text(like item: YAMLValue) -> String {
    guard case .scalar(let written, _) = item.content, !written.contains(where: \.isWhitespace)
    else { return text }
    return zip(arrows, endpoints.dropFirst()).reduce(endpoints.first?.value ?? "") {
      "\($0)\($1.0.value.rawValue)\($1.1.value)"
    }
  }

  /// Splits `a -> b ~> c` at its arrows; each part keeps its own position. Nil for a malformed chain, which
  /// is reported.
  init?(_ value: YAMLValue, diagnostics: DiagnosticCollector) {
    guard case .scalar(let text, _) = value.content, !value.isNull else {
      diagnostics.error(value.position, "a chain reads mic -> ring -> main; this is \(value.kind)")
      return nil
    }
    self.init(endpoints: [], arrows: [])
    let scalars = Array(text.unicodeScalars)
    var partStart = 0
    func endpoint(upTo end: Int) -> Located<String> {
      var range = partStart..<end
      while let first = range.first, scalars[first].properties.isWhitespace {
        range = range.dropFirst()
      }
      while let last = range.last, scalars[last].properties.isWhitespace {
        range = range.dropLast()
      }
      return Located(
        String(String.UnicodeScalarView(scalars[range])),
        at: value.position(ofCharacter: range.first ?? partStart))
    }
    for index in scalars.indices.dropLast() where scalars[index + 1] == ">" {
      guard let arrow = Rack.Arrow(rawValue: "\(scalars[index])>") else { continue }
      endpoints.append(endpoint(upTo: index))
      arrows.append(Located(arrow, at: value.position(ofCharacter: index)))
      partStart = index + 2
    }
    endpoints.append(endpoint(upTo: scalars.count))
    guard !arrows.isEmpty else {
      diagnostics.error(
        value.position, "“\(text)” has no arrow; a chain reads mic -> ring -> main")
      return nil
    }
    if let empty = endpoints.first(where: { $0.value.isEmpty }) {
      diagnostics.error(empty.position, "an arrow in “\(text)” has nothing on one side")
      return nil
    }
  }

  /// Reads a chain: `mic -> ring -> main`.
  ///
  /// - Throws: `Refusal` where the chain is malformed.
  public init(_ text: String) throws(Refusal) {
    let diagnostics = DiagnosticCollector(file: "")
    guard let chain = Rack.Chain(.text(text), diagnostics: diagnostics) else {
      throw Refusal(diagnostics.diagnostics) ?? Refusal("“\(text)” is not a chain")
    }
    self = Rack.Chain(
      endpoints: chain.endpoints.map { Located($0.value) },
      arrows: chain.arrows.map { Located($0.value) })
  }
}

/// A literal that is not a chain ends the program; `init(_:)` with a variable throws.
extension Rack.Chain: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
