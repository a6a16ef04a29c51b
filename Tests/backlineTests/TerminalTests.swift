import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The display in a real pseudo-terminal.
  @Suite(.serialized) struct Terminals {
    @Test func theDisplayFollowsTheTerminalAndGivesItBack() async throws {
      let folder = try TemporaryFolder()
      let names = (1...12).map { "unit\($0)" }
      let rack = try folder.write(
        "rack.yaml",
        bytes: Array(
          """
          rack: Wall
          inputs: { in: { channels: 2 } }
          outputs: { main: { channels: 2 } }
          units:
          \(names.map { "  \($0): { unit: aufx/gain/bkln }" }.joined(separator: "\n"))
          connections: [ in -> \(names.joined(separator: " -> ")) -> main ]

          """.utf8))
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let terminal = try PseudoTerminal(
        columns: 80, lines: 40, ["run", rack, "--server-name", server.name])
      try await terminal.wait { $0.contains("unit unit12") && $0.contains("Ctrl-C to stop") }
      #expect(!terminal.cursorIsVisible && !terminal.echoes)

      // Outputs stay when there is little room, and every line is shown once.
      terminal.resize(columns: 60, lines: 10)
      try await terminal.wait { $0.contains("more\n") && $0.contains("out  main_2") }
      terminal.resize(columns: 100, lines: 30)
      try await terminal.wait { $0.contains("unit unit12") }
      for word in ["Wall ", "out  main_1", "unit unit7", "Ctrl-C to stop"] {
        #expect(terminal.text.components(separatedBy: word).count == 2, "\(terminal.text)")
      }

      // The file has an error for a while.
      let text = try String(contentsOfFile: rack, encoding: .utf8)
      try text.replacing("rack: Wall", with: "rick: Wall").write(
        toFile: rack, atomically: true, encoding: .utf8)
      try await terminal.wait { $0.contains("the rack file is wrong; what was playing goes on") }
      try text.write(toFile: rack, atomically: true, encoding: .utf8)
      try await terminal.wait { $0.contains("the rack file is right again") }

      terminal.type("\u{1A}")
      try await terminal.wait { $0.contains("Ctrl-Z is refused") }
      terminal.type("\u{3}")
      #expect(terminal.waitForEnd() == 0)
      try await terminal.wait { _ in terminal.cursorIsVisible }
      #expect(terminal.echoes)
      #expect(!terminal.text.contains("^C"))
    }
  }
}
