import Yams

/// What the YAML parser stumbled over, put into words for a person.
struct YAMLProblem {
  let position: SourcePosition
  let message: String

  init(_ error: any Error, source: SourceText) {
    guard let error = error as? YamlError else {
      position = SourcePosition(line: 1, column: 1)
      message = "not YAML: \(error)"
      return
    }
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      position = SourcePosition(line: mark.line, column: mark.column)
      message = Self.words(for: problem, context: context, character: source[position])
    case .reader(let problem, let offset, _, let yaml):
      position = Self.position(ofCharacter: offset ?? 0, in: yaml)
      message = "not YAML: \(problem)"
    default:
      position = SourcePosition(line: 1, column: 1)
      message = "not YAML: \(error)"
    }
  }

  private static func words(
    for problem: String, context: YamlError.Context?, character: Unicode.Scalar?
  ) -> String {
    if problem.contains("undefined alias") || problem.contains("nesting") {
      return problem.contains("alias")
        ? "anchors (&) and aliases (*) are not used here"
        : "nested more than \(YAMLReader.maximumDepth) deep, which no file here needs"
    }
    if problem.contains("another document") { return "a second document; a file holds one" }
    if context?.text.contains("scanning an alias") == true {
      return "a text that begins with * must stand in quotes"
    }
    if character == "\t" { return "a tab; YAML is indented with spaces" }
    guard let context else { return "not YAML: \(problem)" }
    return "not YAML: \(problem) \(context.text) (line \(context.mark.line))"
  }

  private static func position(ofCharacter offset: Int, in text: String) -> SourcePosition {
    let before = text.prefix(offset)
    let line = before.count(where: \.isNewline) + 1
    let lineStart = before.lastIndex(where: \.isNewline).map(before.index(after:))
    return SourcePosition(
      line: line, column: before[(lineStart ?? before.startIndex)...].unicodeScalars.count + 1)
  }
}

extension DiagnosticCollector {
  mutating func error(_ problem: YAMLProblem) {
    error(problem.position, problem.message)
  }
}
