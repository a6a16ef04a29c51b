import Foundation
import Testing

/// Every function, file and call in docs/internals/cycle.md exists.
struct CallMapTests {
  private struct Line {
    var depth: Int
    var function: String
    var file: String
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func lines() throws -> [Line] {
    var isInMap = false
    return try text("docs/internals/cycle.md").split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") { isInMap = line == "```calls" }
      let words = line.split(separator: " ").map(String.init)
      guard isInMap, words.count == 2 else { return nil }
      return Line(
        depth: line.prefix { $0 == " " }.count / 2, function: words[0], file: words[1])
    }
  }

  /// Whether a source defines or calls the function, directly or through a pointer: `name(`,
  /// `(*name)(`.
  private static func mentions(_ source: String, _ function: String) throws -> Bool {
    source.contains(try Regex("\\b\(function)\\)?\\("))
  }

  @Test func theMapIsTrue() throws {
    let lines = try Self.lines()
    #expect(lines.count > 40)
    var callers: [Line] = []
    for line in lines {
      let source = try Self.text("Sources/\(line.file)")
      #expect(try Self.mentions(source, line.function), "\(line.function) is not in \(line.file)")
      callers.removeSubrange(min(line.depth, callers.count)...)
      if let caller = callers.last {
        #expect(
          try Self.mentions(Self.text("Sources/\(caller.file)"), line.function),
          "\(caller.function) does not call \(line.function)")
      }
      callers.append(line)
    }
  }

  /// A turn with events, a bypass and a modulation crosses six files of the kernel at most.
  @Test func aTurnCrossesFewFiles() throws {
    let lines = try Self.lines()
    let start = try #require(
      lines.firstIndex { $0.depth == 0 && $0.function == "bl_kernel_render_turns" })
    let turn = [lines[start]] + lines[(start + 1)...].prefix { $0.depth > 0 }
    let files = Set(turn.map(\.file).filter { $0.hasPrefix("CKernel/") })
    #expect(turn.count > 10)
    #expect(files.count <= 6)
  }
}
