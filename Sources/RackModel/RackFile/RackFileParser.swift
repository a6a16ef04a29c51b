import Documents

/// Reads rack files.
public enum RackFileParser {
  /// The largest file that is looked at, bytes. A reader of files need not read further than one
  /// byte more.
  public static var maximumSize: Int { kind.maximumSize }

  static let kind = DocumentKind(name: "rack")

  /// What the bytes say, as far as they can be understood, and everything that is wrong with their
  /// form, in order of position. Nil where nothing could be understood.
  public static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (RackFile?, [Diagnostic]) {
    let document = YAMLDocument(bytes, file: file, kind: kind)
    if document.isEmpty {
      let start = document.root?.position ?? SourcePosition(line: 1, column: 1)
      let message = "the file is empty; a rack begins with “rack: NAME”"
      return (nil, [Diagnostic(file: file, position: start, message: message)])
    }
    guard let root = document.root else { return (nil, document.problems) }
    var reader = RackFileReader(file: file)
    let rack = reader.rack(from: root)
    return (rack, (document.problems + reader.diagnostics.diagnostics).inOrder())
  }

  /// The same for a text.
  public static func parse(_ text: String, file: String) -> (RackFile?, [Diagnostic]) {
    parse(text.utf8, file: file)
  }
}
