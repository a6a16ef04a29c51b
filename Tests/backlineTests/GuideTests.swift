import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The pages of docs/guide, followed command by command as they stand.
  @Suite(.serialized) struct Guide {
    static let pages = Program.racks.deletingLastPathComponent()
      .appendingPathComponent("docs/guide")

    /// Returns the code blocks of a page in a language, in order.
    static func blocks(_ language: String, of page: String) throws -> [String] {
      let file = pages.appendingPathComponent(page)
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
        ($0.components(separatedBy: "\n```").first ?? "") + "\n"
      }
    }

    /// Returns the words of a command without the program's name; double quotes join words.
    static func words(of line: Substring) -> [String] {
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .flatMap { place, part in
          place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
        .dropFirst().map(\.self)
    }

    @Test(
      .timeLimit(.minutes(10)),
      arguments: ["first-rack.md", "guitar.md", "voice.md", "keys.md", "on-stage.md"])
    func everyCommandDoesWhatThePageSays(page: String) async throws {
      let folder = try TemporaryFolder()
      try FileManager.default.copyItem(
        at: Program.racks.appendingPathComponent("sounds/drum-loop.flac"),
        to: folder.url.appendingPathComponent("drum-loop.flac"))
      _ = try SoundFile.sine(220, frames: 24_000).write(folder.path("voice.wav"))
      for (number, rack) in try Self.blocks("yaml", of: page).enumerated() {
        let file = try folder.write(
          number == 0 ? "first.yaml" : "rack-\(number).yaml", bytes: Array(rack.utf8))
        let checked = try Program.run("check", file)
        #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
      }
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let place = ["env", "-C", folder.url.path]
      var playing: Program?
      defer { playing?.send(SIGTERM) }
      for line in try Self.blocks("sh", of: page).flatMap({ $0.split(separator: "\n") }) {
        let words = Self.words(of: line)
        guard ["run", "play"].contains(words[0]) else {
          let program = try Program(words, wrapper: place)
          #expect(program.waitForEnd() == 0, "\(line): \(program.output)\(program.errors)")
          continue
        }
        playing?.send(SIGTERM)
        _ = playing?.waitForEnd()
        playing = try Program(words + ["--server-name", server.name], wrapper: place)
        try await playing?.waitForOutput("ready: ")
      }
      playing?.send(SIGTERM)
      #expect(playing.map { $0.waitForEnd() } ?? 0 == 0)
    }
  }
}
