import Foundation
import Testing

@testable import backline

struct ExitCodeTests {
  @Test func thePageHasEveryCodeOnce() throws {
    let page = Program.racks.deletingLastPathComponent()
      .appendingPathComponent("docs/reference/exit-codes.md")
    let codes = try String(contentsOf: page, encoding: .utf8).matches(of: /\n\| (\d+) \|/)
      .compactMap { Int32($0.output.1) }
    let failures = [
      Failure("", code: .failed), Failure("", code: .wrongRack), Failure("", code: .serverEnded),
      Failure("", code: .tooLoud), Failure("", code: .refusedFile), Failure("", code: .usage),
    ]
    #expect(codes == [0] + failures.map(\.code.rawValue) + [130])
  }
}
