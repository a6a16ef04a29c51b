/// What a file is to hold, for messages.
package struct DocumentKind: Sendable {
  /// To follow "a"; "rack".
  package let name: String
  /// The largest file that is looked at, bytes. A reader of files need not read further than one
  /// byte more.
  package let maximumSize: Int

  package init(name: String, maximumSize: Int = 1 << 20) {
    self.name = name
    self.maximumSize = maximumSize
  }
}

/// A YAML file that people write: its tree, and what is wrong with its form.
package struct YAMLDocument {
  package let file: String
  package let source: SourceText
  /// Nil for a file that is empty or cannot be understood.
  package let root: YAMLValue?
  package let problems: [Diagnostic]

  /// Reads bytes from wherever they come, in time and memory in proportion to their number.
  package init(_ bytes: some Sequence<UInt8>, file: String, kind: DocumentKind) {
    self.file = file
    switch TextGuard.text(of: Array(bytes.prefix(kind.maximumSize + 1)), file: file, kind: kind) {
    case .failure(let diagnostic):
      source = SourceText("")
      root = nil
      problems = [diagnostic]
    case .success(let text):
      source = SourceText(text)
      (root, problems) = YAMLReader.read(text, file: file)
    }
  }

  /// Nothing is wrong with the form, and there is nothing in it.
  package var isEmpty: Bool { problems.isEmpty && (root?.isNull ?? true) }
}
