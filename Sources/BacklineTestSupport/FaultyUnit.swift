import Foundation

/// A unit of Tests/Fixtures/units that breaks a rule. Its source begins with the expected failures:
/// lines `/* expect: CHECK: part of the reason */`.
package struct FaultyUnit: Sendable, CustomStringConvertible {
  package let name: String
  /// The checks that fail, each with a part of its reason.
  package let expected: [String: String]

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = repository.appending(path: "Tests/Fixtures/units")

  package static let all: [FaultyUnit] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".c") }.sorted().map { FaultyUnit(name: String($0.dropLast(2))) }

  package init(name: String) {
    self.name = name
    let text = (try? String(contentsOf: Self.file(name), encoding: .utf8)) ?? ""
    var expected: [String: String] = [:]
    // The formatter may have wrapped a long line.
    for comment in text.components(separatedBy: "/* expect: ").dropFirst() {
      let line = comment.components(separatedBy: " */")[0]
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      if parts.count == 2 { expected[parts[0]] = String(parts[1].dropFirst()) }
    }
    self.expected = expected
  }

  private static func file(_ name: String) -> URL { folder.appending(path: "\(name).c") }

  package var description: String { name }

  /// The path of clang, which builds the units; nil if it is not installed.
  package static let clang: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/clang" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct CompilerFailed: Error { var name: String }

  /// Compiles the unit into a shared library in a folder; returns its path.
  package func build(in folder: TemporaryFolder) throws -> String {
    let library = folder.path("unit.so")
    let process = Process()
    process.executableURL = URL(filePath: Self.clang ?? "clang")
    process.arguments = [
      "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I",
      Self.repository.appending(path: "Sources/CUnit/include").path, Self.file(name).path, "-o",
      library, "-lm", "-pthread",
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CompilerFailed(name: name) }
    return library
  }
}
