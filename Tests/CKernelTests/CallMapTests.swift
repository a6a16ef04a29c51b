import Foundation
import Testing

/// docs/internals/cycle.md names functions and files that exist, and callers that call.
struct CallMapTests {
  private struct Line {
    var depth: Int
    var function: String
    var file: String
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
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

  /// Whether a source has the name, followed by its arguments or, of a member, by a parenthesis.
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
}
