import Documents
import Foundation
import RackModel
import Testing

/// Input that no fixture can hold: bytes that are not text, and files made to exhaust a parser.
@Suite struct RackFileParserTests {
  private func messages(_ bytes: some Sequence<UInt8>) -> [String] {
    let (rack, diagnostics) = Rack.read(bytes, file: "r")
    #expect(rack == nil)
    return diagnostics.map(\.description)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(messages([]) == ["r:1:1: error: the file is empty; a rack begins with “rack: NAME”"])
    #expect(
      messages([0xFF, 0xFE, 0x72, 0]) == ["r:1:1: error: the file is UTF-16; save it as UTF-8"])
    #expect(
      messages(Array("rack: x\nab\0".utf8)) == [
        "r:2:3: error: this is not a text file: it contains a zero byte"
      ])
    #expect(
      messages(Array("rack: x\né".utf8) + [0x80])
        == ["r:2:2: error: this is not UTF-8 text; save it as UTF-8"])
    #expect(messages(Array("rack: \u{7}x".utf8)).first?.hasPrefix("r:1:7: error: not YAML") == true)
  }

  @Test func hugeFilesAreNotLookedAt() {
    let endless = sequence(first: UInt8(ascii: "#")) { $0 }
    #expect(
      messages(endless) == ["r:1:1: error: the file is larger than 1024 KiB, too large for a rack"])
  }

  @Test func aByteOrderMarkIsPassedOver() {
    let (rack, diagnostics) = Rack.read(
      [0xEF, 0xBB, 0xBF] + Array("rack: x".utf8), file: "r")
    #expect(rack?.name?.value == "x")
    #expect(rack?.name?.position == SourcePosition(line: 1, column: 7))
    #expect(diagnostics.isEmpty)
  }

  @Test func linesMayEndAsOnWindows() {
    let (rack, diagnostics) = Rack.read("rack: x\r\nunits: { }\r\n".utf8, file: "r")
    #expect(rack?.name?.value == "x")
    #expect(diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("[", 300_000), ("{", 300_000), ("- ", 300_000), ("? ", 300_000), ("[{", 200_000),
    ("[[", 400_000), ("{a: ", 200_000),
  ])
  func deepNestingIsRefused(piece: String, count: Int) {
    #expect(messages(String(repeating: piece, count: count).utf8).count == 1)
  }

  /// Expanding the aliases would give 10³¹ words; as a key they would even be hashed.
  @Test func aliasesCannotMultiply() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...30 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    text += "? *a30\n: x\n? *a29\n: x\n"
    #expect(
      messages(text.utf8)
        == ["1:5", "2:5", "2:10"].map {
          "r:\($0): error: anchors (&) and aliases (*) are not used here"
        })
  }

  @Test func anAmpersandInATextIsNoAnchor() {
    let text = "# &none\nrack: \"R &B\"\nunits: # *none\n  'x &y': { unit: 'a &b' }\n"
    let (rack, diagnostics) = Rack.read(text.utf8, file: "r")
    #expect(rack?.name?.value == "R &B")
    #expect(rack?.units.first?.name.value == "x &y")
    #expect(rack?.units.first?.unit?.value == "a &b")
    #expect(diagnostics.isEmpty)
  }

  @Test func equalKeysKeepTheirNames() {
    let (rack, diagnostics) = Rack.read(
      "rack: x\nunits:\n  éa: { unit: a }\n  \"éa\": { unit: b }\n".utf8, file: "r")
    #expect(rack?.units.map(\.name.value) == ["éa"])
    #expect(rack?.units.map(\.unit?.value) == ["a"])
    #expect(
      diagnostics.map(\.description) == ["r:4:3: error: “éa” is given twice, first on line 3"])
  }

  @Test func manyEqualKeysAreFound() {
    let text = String(repeating: "rack: x\n", count: 50_000)
    let (rack, diagnostics) = Rack.read(text.utf8, file: "r")
    #expect(rack?.name?.value == "x")
    #expect(diagnostics.count == 49_999)
  }

  /// The parser reports and survives any cut or changed byte.
  @Test func survivesDamage() {
    let whole = Array(PlanTests.everything.utf8)
    for length in whole.indices { _ = Rack.read(whole.prefix(length), file: "r") }
    var position = 0
    for byte in [0x00, 0x09, 0x0A, 0x22, 0x26, 0x2A, 0x3A, 0x5B, 0x7B, 0x80, 0xC3, 0xFF] as [UInt8]
    {
      for index in stride(from: position, to: whole.count, by: 7) {
        var damaged = whole
        damaged[index] = byte
        let (rack, diagnostics) = Rack.read(damaged, file: "r")
        #expect(rack != nil || !diagnostics.isEmpty)
      }
      position += 1
    }
  }

  @Test func diagnosticsGoThroughJSON() throws {
    let diagnostic = Diagnostic(
      severity: .warning, file: "a.yaml", position: SourcePosition(line: 2, column: 3),
      message: "odd", suggestion: "even")
    let data = try JSONEncoder().encode(diagnostic)
    #expect(try JSONDecoder().decode(Diagnostic.self, from: data) == diagnostic)
    #expect(diagnostic.description == "a.yaml:2:3: warning: odd; did you mean “even”?")
  }
}
