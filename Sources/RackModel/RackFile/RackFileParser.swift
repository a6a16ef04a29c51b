import UnitModel

/// Reads rack files.
public enum RackFileParser {
  /// The largest file that is looked at, bytes. A reader of files need not read further than one
  /// byte more.
  public static let maximumSize = 1 << 20

  /// What the bytes say, as far as they can be understood, and everything that is wrong with their
  /// form, in order of position. Nil where nothing could be understood.
  public static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (RackFile?, [Diagnostic]) {
    switch TextGuard.text(of: Array(bytes.prefix(maximumSize + 1)), file: file) {
    case .failure(let diagnostic): return (nil, [diagnostic])
    case .success(let text): return parse(text, file: file)
    }
  }

  /// The same for a text.
  public static func parse(_ text: String, file: String) -> (RackFile?, [Diagnostic]) {
    if text.utf8.count > maximumSize || text.utf8.contains(0) {
      return parse(Array(text.utf8.prefix(maximumSize + 1)), file: file)
    }
    let (value, problems) = YAMLReader.read(text, file: file)
    guard let value else {
      if !problems.isEmpty { return (nil, problems) }
      let start = SourcePosition(line: 1, column: 1)
      return (nil, [Diagnostic(file: file, position: start, message: emptyMessage)])
    }
    var reader = RackFileReader(file: file, source: SourceText(text))
    let rack = reader.rack(from: value)
    return (rack, (problems + reader.diagnostics.diagnostics).inOrder())
  }

  static let emptyMessage = "the file is empty; a rack begins with “rack: NAME”"
}
