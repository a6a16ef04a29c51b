import CQRCode

/// A text, most often a link, as a QR code: a square of dark and light modules.
package struct QRCode: Sendable {
  /// By row; true for a dark module.
  package let modules: [[Bool]]

  /// The light modules that a reader needs around the square.
  private static let margin = 4

  /// Nil for a text that is too long for any code (2,953 bytes).
  package init?(_ text: String) {
    let length = ((40 * 4 + 17) * (40 * 4 + 17) + 7) / 8 + 1
    var work = [UInt8](repeating: 0, count: length)
    var code = [UInt8](repeating: 0, count: length)
    guard
      qrcodegen_encodeText(
        text, &work, &code, qrcodegen_Ecc_LOW, qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX,
        qrcodegen_Mask_AUTO, true)
    else { return nil }
    let side = qrcodegen_getSize(code)
    modules = (0..<side).map { y in (0..<side).map { qrcodegen_getModule(code, $0, y) } }
  }

  /// Columns of the code on a terminal.
  package var columns: Int { modules.count + 2 * Self.margin }

  /// The code for a terminal, two modules a character: black on white, whatever the terminal's colours.
  package var terminalLines: [String] {
    let outside = Array(repeating: false, count: columns)
    let margin = Array(repeating: outside, count: Self.margin)
    let side = Array(repeating: false, count: Self.margin)
    // One more below, where the number of rows is odd.
    let rows = margin + modules.map { side + $0 + side } + margin + [outside]
    return stride(from: 0, to: rows.count - 1, by: 2).map { y in
      let blocks = zip(rows[y], rows[y + 1]).map { upper, lower in
        upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
      }
      return "\u{1B}[38;5;16;48;5;231m\(blocks.joined())\u{1B}[0m"
    }
  }
}
