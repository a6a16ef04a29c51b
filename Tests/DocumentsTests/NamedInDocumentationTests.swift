import Foundation
import Testing

/// The pages, sections, files, headers and packages that the documentation names exist.
@Suite struct NamedInDocumentationTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().standardized.path

  private static func text(_ file: String) throws -> String {
    try String(contentsOfFile: "\(repository)/\(file)", encoding: .utf8)
  }

  /// All files of these folders, by their paths from the repository.
  private static func files(in folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: "\(repository)/\(folder)")
        .map { "\(folder)/\($0)" }
    }
  }

  private static func pages() throws -> [String] {
    try ["README.md", "CONTRIBUTING.md"]
      + files(in: ["docs", "Sources"]).filter { $0.hasSuffix(".md") }.sorted()
  }

  /// The first group, or the whole, of each match.
  private static func matches(of pattern: String, in text: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { match in
      Range(match.range(at: match.numberOfRanges > 1 ? 1 : 0), in: text).map { String(text[$0]) }
    }
  }

  /// Returns the text without code blocks between lines of ```.
  private static func prose(_ text: String) -> String {
    text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }
      .map { $0.offset == 0 ? $0.element : $0.element.drop { $0 != "\n" }.description }.joined()
  }

  /// The anchors of a page's headings, as GitHub makes them.
  private static func anchors(of page: String) throws -> Set<String> {
    Set(
      try matches(of: #"^#+ +(.+)$"#, in: prose(text(page))).map { heading in
        let words = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.lowercased()
        return String(
          words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .map { $0 == " " ? "-" : $0 })
      })
  }

  @Test func everyLinkLeadsSomewhere() throws {
    var count = 0
    for page in try Self.pages() {
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      let prose = Self.prose(try Self.text(page)).replacing(/`[^`\n]*`/, with: "")
      for link in try Self.matches(of: #"\]\(([^)\s]+)\)"#, in: prose)
      where !link.contains("://") && !link.hasPrefix("doc:") {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty
          ? "\(Self.repository)/\(page)"
          : URL(filePath: "\(Self.repository)/\(folder)/\(parts[0])").standardized.path
        guard FileManager.default.fileExists(atPath: target) else {
          Issue.record("\(page) links to \(link), which is not there")
          continue
        }
        guard parts.count == 2, target.hasSuffix(".md") else { continue }
        let anchors = try Self.anchors(
          of: String(target.dropFirst(Self.repository.count + 1)))
        #expect(anchors.contains(String(parts[1])), "\(page) links to \(link)")
      }
    }
    #expect(count > 300)
  }

  /// Files that readers have, and headers of others.
  private static let foreign: Set = [
    "unit.c", "test.c", "Sources/Echo/main.swift", "ladspa.h", "ebur128.h",
  ]

  /// By any end of its path.
  private static func known() throws -> Set<String> {
    let folders = ["Sources", "Tests", "Benchmarks", "docs", "templates", "page", "scripts"]
    var ends: Set = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Package.swift"]
    for file in try files(in: folders) {
      let parts = file.split(separator: "/")
      for start in parts.indices { ends.insert(parts[start...].joined(separator: "/")) }
    }
    return ends
  }

  private static let name = #"([A-Za-z_][\w+/-]*\.(?:h|c|swift|md|py|sh))\b"#

  @Test func everyFileThatAPageNamesIsThere() throws {
    let known = try Self.known()
    for page in try Self.pages() {
      let text = try Self.text(page)
      let named =
        try Self.matches(of: "`\(Self.name)`", in: text)
        + Self.matches(of: #"(?<![\w./<-])([A-Za-z_][\w+/.-]*\.h)\b"#, in: text)
      for file in named where !known.contains(file) && !Self.foreign.contains(file) {
        Issue.record("\(page) names \(file), which is not there")
      }
    }
  }

  @Test func everyFileThatACommentNamesIsThere() throws {
    let known = try Self.known()
    for source in try Self.files(in: ["Sources"]).sorted()
    where [".swift", ".c", ".h"].contains(where: source.hasSuffix) {
      let lines = try Self.text(source).split(separator: "\n").filter { !$0.contains("#include") }
      let pattern = #"(?<![\w./<\-\)])"# + Self.name
      for file in try Self.matches(of: pattern, in: lines.joined(separator: "\n"))
      where !known.contains(file) && !Self.foreign.contains(file) {
        Issue.record("\(source) names \(file), which is not there")
      }
    }
  }

  @Test func thePackagesThatAPageNamesAreThoseThatAreInstalled() throws {
    let script = try Self.text("scripts/install-packages")
    let build = try #require(
      script.components(separatedBy: "\nbuild() {").last?.components(separatedBy: "\n}").first)
    let needed = try Self.matches(of: #"^ *need (\S+)"#, in: build)
    let embedding = try Self.text("docs/guide/embedding.md")
    let sentence = try #require(
      embedding.split(separator: "\n").first { $0.hasPrefix("Debian needs ") })
    let named = try Self.matches(of: "`([a-z0-9-]+)`", in: String(sentence))
    #expect(Set(named) == Set(needed))
    let all = Set(try Self.matches(of: #"^ *need (\S+)"#, in: script))
    for page in try Self.pages() {
      let text = try Self.text(page)
      for package in try Self.matches(of: #"(?<![\w-])(lib[a-z0-9-]+-dev)\b"#, in: text)
        + Self.matches(of: #"apt(?:-get)? install ([a-z][a-z0-9+.-]*)"#, in: text)
      where !all.contains(package) && package != "make" {
        Issue.record("\(page) names the package \(package), which scripts/install-packages has not")
      }
    }
  }
}
