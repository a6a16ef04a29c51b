/// The kind of a file, for messages.
package struct DocumentKind: Sendable {
  /// To follow "a"; "rack".
  package let name: String
  /// The largest file that is read, bytes. A reader of files need not read further than one byte
  /// more.
  package let maximumSize: Int

  package init(name: String, maximumSize: Int = 1 << 20) {
    self.name = name
    self.maximumSize = maximumSize
  }
}

/// A YAML file that people write: its tree, and everything that is wrong with its form.
package struct YAMLDocument {
  package let file: String
  /// Nil for a file that is empty or not YAML.
  package let root: YAMLValue?
  package let problems: [Diagnostic]

  /// Reads bytes from any source, in time and memory in proportion to their number.
  package init(_ bytes: some Sequence<UInt8>, file: String, kind: DocumentKind) {
    self.file = file
    let bytes = Array(bytes.prefix(kind.maximumSize + 1))
    if let problem = Self.problem(of: bytes, file: file, kind: kind) {
      (root, problems) = (nil, [problem])
      return
    }
    (root, problems) = bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.dropFirst(Self.markLength(of: bytes)))
      return text.isEmpty ? (nil, []) : YAMLReader.read(text, file: file)
    }
  }

  /// Nothing is wrong with the form, and there is nothing in it.
  package var isEmpty: Bool { problems.isEmpty && (root?.isNull ?? true) }

  /// How many bytes the byte order mark takes at the start of a text.
  package static func markLength(of bytes: some Collection<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Why the bytes are not UTF-8 text of bounded size; nil where they are.
  private static func problem(
    of bytes: [UInt8], file: String, kind: DocumentKind
  ) -> Diagnostic? {
    func problem(atByte offset: Int = 0, _ message: String) -> Diagnostic {
      let position = bytes.withUnsafeBufferPointer { SourcePosition(ofByte: offset, in: $0) }
      return Diagnostic(file: file, position: position, message: message)
    }
    if bytes.count > kind.maximumSize {
      let size = kind.maximumSize / 1024
      return problem("the file is larger than \(size) KiB, too large for a \(kind.name)")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return problem("the file is UTF-16; save it as UTF-8")
    }
    if let place = bytes.firstIndex(of: 0) {
      return problem(atByte: place, "this is not a text file: it contains a zero byte")
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return problem(
        atByte: error.byteOffsets.lowerBound, "this is not UTF-8 text; save it as UTF-8")
    }
  }
}
