/// A file that is one map of keys.
package protocol KeyedDocument: KeyedEntry {
  /// The document's first key, for messages: "rack: NAME".
  static var beginning: String { get }
  /// The largest file that is read, bytes; a reader needs at most one byte more.
  static var maximumSize: Int { get }
}

extension KeyedDocument {
  package static var maximumSize: Int { YAMLValue.maximumSize }

  /// Returns the map of a file; nil, and an error, if the file is not one.
  package static func root(
    of bytes: some Sequence<UInt8>, _ diagnostics: DiagnosticCollector
  ) -> YAMLValue? {
    let value = YAMLValue(bytes, title: title, maximumSize: maximumSize, diagnostics)
    guard let value, !value.isNull else {
      if !diagnostics.hasErrors {
        diagnostics.error(
          value?.position ?? SourcePosition(line: 1, column: 1),
          "the file is empty; \(title) begins with “\(beginning)”")
      }
      return nil
    }
    guard case .mapping = value.content else {
      diagnostics.error(
        value.position, "\(title) is a map that begins with “\(beginning)”, not \(value.kind)")
      return nil
    }
    return value
  }
}

extension YAMLValue {
  /// The default size of the largest file that is read, bytes.
  package static let maximumSize = 1 << 20

  /// Parses a file, in time and memory proportional to its size; nil if the file is empty or not YAML.
  /// Syntax errors are collected.
  ///
  /// - Parameter title: the kind of the file, for messages: "a rack".
  package init?(
    _ bytes: some Sequence<UInt8>, title: String, maximumSize: Int = maximumSize,
    _ diagnostics: DiagnosticCollector
  ) {
    let bytes = Array(bytes.prefix(maximumSize + 1))
    func report(atByte offset: Int = 0, _ message: String) {
      let position = bytes.withUnsafeBufferPointer { SourcePosition(ofByte: offset, in: $0) }
      diagnostics.error(position, message)
    }
    if bytes.count > maximumSize {
      report("the file is larger than \(maximumSize / 1024) KiB, too large for \(title)")
      return nil
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      report("the file is UTF-16; save it as UTF-8")
      return nil
    }
    if let index = bytes.firstIndex(of: 0) {
      report(atByte: index, "this is not a text file: it contains a zero byte")
      return nil
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      report(atByte: error.byteOffsets.lowerBound, "this is not UTF-8 text; save it as UTF-8")
      return nil
    }
    let tree = bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.dropFirst(Self.markLength(of: bytes)))
      return text.isEmpty ? nil : YAMLReader.read(text, diagnostics)
    }
    guard let tree else { return nil }
    self = tree
  }

  /// Returns the number of bytes of a byte order mark at the start of a text.
  package static func markLength(of bytes: some Collection<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
