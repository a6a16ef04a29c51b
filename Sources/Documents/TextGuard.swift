/// Lets only what can be a document through to the YAML parser: a text of bounded size.
enum TextGuard {
  /// The text, or the one diagnostic that says why the bytes are none.
  static func text(
    of bytes: [UInt8], file: String, kind: DocumentKind
  ) -> Result<String, Diagnostic> {
    func refused(_ position: SourcePosition, _ message: String) -> Result<String, Diagnostic> {
      .failure(Diagnostic(file: file, position: position, message: message))
    }
    let start = SourcePosition(line: 1, column: 1)
    if bytes.count > kind.maximumSize {
      return refused(
        start,
        "the file is larger than \(kind.maximumSize / 1024) KiB, too large for a \(kind.name)")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return refused(start, "the file is UTF-16; save it as UTF-8")
    }
    if let place = bytes.firstIndex(of: 0) {
      return refused(position(of: place, in: bytes), "this is no text: it has a byte 0")
    }
    let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    guard let text = String(validating: bytes.dropFirst(hasByteOrderMark ? 3 : 0), as: UTF8.self)
    else {
      return refused(
        position(of: validLength(of: bytes), in: bytes), "this is no UTF-8 text; save it as UTF-8")
    }
    return .success(text)
  }

  /// How many bytes from the start on are UTF-8.
  private static func validLength(of bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var length = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
    return length
  }

  private static func position(of offset: Int, in bytes: [UInt8]) -> SourcePosition {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return SourcePosition(
      line: line,
      column: String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1)
  }
}
