import BacklineTestSupport
import Foundation

/// Reads QR codes with zbar, independently of our own code.
enum QRCodeReader {
  struct NoCode: Error { var screen: String }

  /// Returns the text of the code in a picture.
  static func read(_ picture: String) throws -> String {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
    program.arguments = ["--quiet", "--raw", picture]
    let output = Pipe()
    program.standardOutput = output
    program.standardError = FileHandle.nullDevice
    try program.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  /// Returns the text of the code that a terminal shows in half blocks.
  static func read(screen: String) throws -> String {
    let blocks = Set(" ▀▄█")
    let lines = screen.split(separator: "\n").filter {
      blocks.isSuperset(of: $0) && $0.contains { $0 != " " }
    }
    let width = lines.map(\.count).max() ?? 0
    guard width > 0 else { throw NoCode(screen: screen) }
    // Four pixels a module, and the margin, whose lines have no block.
    let rows = lines.flatMap { line in
      let characters = Array(line) + Array(repeating: " ", count: width - line.count)
      return ["█▀", "█▄"].map { dark in
        characters.map { String(repeating: dark.contains($0) ? "1 " : "0 ", count: 4) }.joined()
          + String(repeating: "0 ", count: 16)
      }
    }
    let margin = Array(repeating: String(repeating: "0 ", count: 4 * width + 16), count: 16)
    let pixels = margin + rows.flatMap { Array(repeating: $0, count: 4) } + margin
    let picture = "P1\n\(4 * width + 16) \(pixels.count)\n\(pixels.joined(separator: "\n"))\n"
    let folder = try TemporaryFolder()
    return try read(try folder.write("code.pbm", bytes: Array(picture.utf8)))
  }
}
