import BacklineTestSupport
import Foundation
import Testing

/// The steps of docs/guide/writing-a-unit.md as written.
struct WritingAUnitTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/guide/writing-a-unit.md")

  /// Returns the page's code blocks in a language, in order.
  static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "") + "\n"
    }
  }

  /// Applies the page's edits to the output of `backline new`.
  static func edit(_ bundle: String) throws {
    let file = URL(fileURLWithPath: "\(bundle)/unit.c")
    var source = try String(contentsOf: file, encoding: .utf8)
    let code = try blocks("c")
    try #require(code.count == 4)
    func replace(_ pattern: String, with text: String) throws {
      let range = try #require(source.range(of: pattern, options: .regularExpression), "\(pattern)")
      source.replaceSubrange(range, with: text)
    }
    try replace("enum \\{ PARAMETER_LEVEL.*\n", with: code[0])
    try replace("\\} ring_unit;", with: code[1] + "} ring_unit;")
    try replace(
      "/\\* The sound: (?s:.)*?\n\\}\n", with: code[2])
    try replace("    \\{\"level\"(?s:.)*?\\},\n", with: code[3])
    try replace("    \\(void\\)self;[^\n]*\n", with: "    self->phase = 0;\n")
    try Data(source.utf8).write(to: file)
    try Data(try blocks("yaml")[0].utf8).write(to: URL(fileURLWithPath: "\(bundle)/unit.yaml"))
  }

  /// Runs a line of the page in a shell, in a folder that stands for a home.
  static func shell(_ line: String, in folder: TemporaryFolder) throws -> Program.Result {
    let script =
      "cd '\(folder.url.path)' && export HOME=\"$PWD\" XDG_DATA_HOME= XDG_CACHE_HOME= "
      + "XDG_CONFIG_HOME= PATH='\(Program.url.deletingLastPathComponent().path)':\"$PATH\"; \(line)"
    return try Program(command: ["sh", "-c", script]).result()
  }

  @Test func everyCommandDoesWhatThePageSays() throws {
    let folder = try TemporaryFolder()
    let lines = try Self.blocks("sh").flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(lines.count >= 9)
    for (number, line) in lines.enumerated() where !line.contains(" play ") {
      // The second time it is tested, it is a ring modulator.
      if number == 2 { try Self.edit(folder.path("Ring.unit")) }
      let result = try Self.shell(line, in: folder)
      #expect(result.status == 0, "\(line): \(result.output)\(result.errors)")
      switch line {
      case "make -C Ring.unit test": #expect(result.output.contains("Ring: passed"))
      case "backline show ./Ring.unit":
        #expect(result.output.contains("aufx/ring/Demo") && result.output.contains("Bell"))
      case "backline units --tag Voice": #expect(result.output.contains("aufx/ring/Demo"))
      case "backline units --refused": #expect(result.output.isEmpty)
      default: break
      }
    }
    // The installed unit renders the output of a ring modulator.
    let input = try SoundFile.sine(1000, frames: 48_000).write(folder.path("in.wav"))
    _ = try folder.write(
      "rack.yaml",
      bytes: Array(
        """
        rack: Ring
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        \(try Self.blocks("yaml")[1])
        connections: [ in -> ring -> out ]
        """.utf8))
    let rendered = try Self.shell(
      "backline render rack.yaml --in in='\(input)' --out out=out.wav --bits float", in: folder)
    #expect(rendered.status == 0, "\(rendered.errors)")
    let sound = try SoundFile(reading: folder.path("out.wav")).channels[0][..<48_000]
    // sin a sin b = (cos(a - b) - cos(a + b)) / 2
    for frequency in [920.0, 1080.0] {
      #expect(abs(SineFit(sound, frequency: frequency, sampleRate: 48_000).amplitude - 0.25) < 1e-3)
    }
    #expect(SineFit(sound, frequency: 1000, sampleRate: 48_000).amplitude < 1e-3)
  }
}
