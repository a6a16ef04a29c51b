import Foundation
import Testing

/// The public headers compile with the compiler options of a unit's author.
@Suite struct HeaderTests {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/CUnit/include")

  static let headers =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "backline").path)) ?? [])
    .filter { $0.hasSuffix(".h") }.sorted()

  @Test func headersAreFound() { #expect(Self.headers.contains("unit.h")) }

  @Test(arguments: headers, [["clang", "c", "c17"], ["clang++", "c++", "c++17"]])
  func compilesAlone(_ header: String, compiler: [String]) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      compiler[0], "-x", compiler[1], "-std=\(compiler[2])", "-fsyntax-only", "-Wall", "-Wextra",
      "-Wpedantic", "-Werror", "-I", Self.folder.path, "-",
    ]
    process.standardError = errors
    let source = Pipe()
    process.standardInput = source
    try process.run()
    source.fileHandleForWriting.write(Data("#include \"backline/\(header)\"\n".utf8))
    try source.fileHandleForWriting.close()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: message, as: UTF8.self))")
  }
}
