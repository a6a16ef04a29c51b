import Documents

/// Reads rack files.
public enum RackFileParser {
  /// The largest file that is read, bytes. A reader of files need not read further than one byte
  /// more.
  public static var maximumSize: Int { kind.maximumSize }

  static let kind = DocumentKind(name: "rack")

  /// What the bytes say, as far as they can be understood, and everything that is wrong with their
  /// form, in order of position. Nil where nothing could be understood.
  public static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (RackFile?, [Diagnostic]) {
    let document = YAMLDocument(bytes, file: file, kind: kind)
    var diagnostics = DiagnosticCollector(file: file)
    var rack: RackFile?
    if document.isEmpty {
      diagnostics.error(
        document.root?.position ?? SourcePosition(line: 1, column: 1),
        "the file is empty; a rack begins with “rack: NAME”")
    } else if let root = document.root {
      rack = Self.rack(from: root, &diagnostics)
    }
    return (rack, (document.problems + diagnostics.diagnostics).inOrder())
  }

  /// The same for a text.
  public static func parse(_ text: String, file: String) -> (RackFile?, [Diagnostic]) {
    parse(text.utf8, file: file)
  }

  private static func rack(
    from value: YAMLValue, _ diagnostics: inout DiagnosticCollector
  ) -> RackFile? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a rack is a map that begins with “rack: NAME”, not \(value.kind)")
      return nil
    }
    if let key = pairs.first(where: { $0.key.value == "setlist" })?.key {
      diagnostics.error(
        key.position, "this is a set list, not a rack; “backline run” plays it, song by song")
      return nil
    }
    var rack = RackFile(file: diagnostics.file)
    diagnostics.read(pairs, into: &rack, at: value.position)
    return rack
  }
}
