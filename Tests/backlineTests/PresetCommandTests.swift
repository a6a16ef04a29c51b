import BacklineTestSupport
import Foundation
import Testing

/// `backline preset`, and user presets in other commands.
struct PresetCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Result {
    let program = try Program(arguments, wrapper: ["XDG_DATA_HOME=\(folder.url.path)"])
    let status = program.waitForEnd()
    return Program.Result(status: status, output: program.output, errors: program.errors)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test func aPresetIsSavedShownRenamedAndDeleted() throws {
    let saved = try run(
      "preset", "save", "Delay", "Long hall", "--from", "Slapback", "--set", "time=900 ms")
    #expect(saved.status == 0 && saved.errors.isEmpty && saved.output.isEmpty)
    let list = try run("preset", "list", "delay").output
    #expect(
      list.hasPrefix("Delay  aufx/dely/bkln\n  0    ") && list.hasSuffix("  -1   Long hall\n"))
    let shown = try run("preset", "show", "Delay", "Long hall").output
    #expect(shown.contains("preset: Long hall\n") && shown.contains("  time: 900 ms\n"))
    #expect(try run("preset", "rename", "Delay", "Long hall", "Hall").status == 0)
    #expect(try run("preset", "show", "Delay", "Hall", "--json").output.contains("\"number\" : -1"))
    #expect(try run("preset", "delete", "Delay", "Hall").status == 0)
    let gone = try run("preset", "show", "Delay", "Hall")
    #expect(gone.status == 1 && gone.errors.contains("has no preset “Hall”"))
  }

  @Test func aUnitOfARackBecomesAPresetAndComesBack() throws {
    let rack = try file(
      "r.yaml",
      """
      rack: R
      inputs: { in: { channels: 2 } }
      outputs: { main: { channels: 2 } }
      units: { echo: { unit: Delay, preset: Slapback, parameters: { mix: 77 % } } }
      connections: [in -> echo -> main]
      """)
    #expect(try run("preset", "save", "echo", "Tonight", "--rack", rack).status == 0)
    let shown = try run("preset", "show", "Delay", "Tonight").output
    #expect(shown.contains("  mix: 77 %\n") && shown.contains("  time: "))
    let other = try file(
      "o.yaml",
      """
      rack: O
      inputs: { in: { channels: 2 } }
      outputs: { main: { channels: 2 } }
      units: { echo: { unit: Delay, preset: Tonight } }
      connections: [in -> echo -> main]
      """)
    let check = try run("check", other)
    #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)\(check.output)")
    #expect(try run("show", other).output.contains("Tonight"))
    let wrong = try run("preset", "save", "ecco", "X", "--rack", rack)
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean “echo”?"))
  }

  @Test func aPresetIsGivenAwayAndTakenIn() throws {
    let out = folder.url.path + "/out.yaml"
    #expect(try run("preset", "export", "Distortion", "Alien Chatter", out).status == 0)
    let taken = try run("preset", "import", out, "--name", "Alien II")
    #expect(taken.status == 0, "\(taken.errors)")
    let again = try run("preset", "import", out, "--name", "Alien II")
    #expect(again.status == 1 && again.errors.contains("there is a preset “Alien II” already"))
    #expect(try run("preset", "import", out, "--name", "Alien II", "--replace").status == 0)
    let clash = try run("preset", "import", out)
    #expect(clash.status == 1 && clash.errors.contains("“Alien Chatter” comes with the unit"))
    let text = try run("preset", "export", "Distortion", "Alien II").output
    #expect(text.contains("unit: aufx/dist/bkln") && !text.contains("number"))
    let bad = try file(
      "bad.yaml", "{ preset: B, unit: aufx/dist/bkln, parameters: { drive: 3 s } }")
    let refused = try run("preset", "import", bad)
    #expect(refused.status == 2 && refused.errors.contains("bad.yaml:1:57: error: “3 s” is a time"))
  }

  @Test func wrongWordsAreAnswered() throws {
    let unit = try run("preset", "list", "Dellay")
    #expect(unit.status == 2 && unit.errors.contains("did you mean “Delay”?"))
    let parameter = try run("preset", "save", "Delay", "A", "--set", "tme=1s")
    #expect(parameter.status == 64 && parameter.errors.contains("did you mean “time”?"))
    let value = try run("preset", "save", "Delay", "A", "--set", "time=1 dB")
    #expect(value.status == 64 && value.errors.contains("“1 dB” is a level"))
    let preset = try run("preset", "show", "Delay", "Slapbakc")
    #expect(preset.status == 1 && preset.errors.contains("did you mean “Slapback”?"))
  }

  /// Kills many writers, each at a random moment of its life.
  @Test func aKilledWriterLeavesTheOldPresetOrTheNew() throws {
    #expect(try run("preset", "save", "Delay", "P", "--set", "time=1 s").status == 0)
    let url = folder.url.appendingPathComponent("backline/presets/aufx-dely-bkln/P.yaml")
    func text(_ time: String) throws -> String {
      let saved = try run("preset", "save", "Delay", "P", "--replace", "--set", "time=\(time)")
      #expect(saved.status == 0)
      return try String(contentsOf: url, encoding: .utf8)
    }
    let whole = [try text("1 s"), try text("2 s")]
    /// Returns the present lifetime of a writer, microseconds.
    func life() throws -> Double {
      let lives = try (0..<3).map { _ in try ContinuousClock().measure { _ = try text("2 s") } }
      return try #require(lives.min()) / .microseconds(1)
    }
    var longest = try life()
    var generator = SystemRandomNumberGenerator()
    var killed = 0
    var counts = [0, 0]
    let rounds = repetitions(1000)
    for round in 0..<rounds {
      if round % 50 == 49 { longest = try life() }
      let writer = try Program(
        ["preset", "save", "Delay", "P", "--replace", "--set", "time=\(round % 2 + 1) s"],
        wrapper: ["XDG_DATA_HOME=\(folder.url.path)"])
      usleep(UInt32(.random(in: 0..<1.5, using: &generator) * longest))
      writer.send(SIGKILL)
      killed += writer.waitForEnd() == 0 ? 0 : 1
      let present = try String(contentsOf: url, encoding: .utf8)
      let place = try #require(whole.firstIndex(of: present), "\(present)")
      counts[place] += 1
    }
    #expect(killed > 0 && killed < rounds && counts.min() ?? 0 > 0)
    #expect(try run("preset", "save", "Delay", "Q").status == 0)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(left.sorted() == ["P.yaml", "Q.yaml"])
  }
}
