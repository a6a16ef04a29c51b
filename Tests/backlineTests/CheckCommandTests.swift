import BacklineTestSupport
import Foundation
import Testing

/// backline check.
struct CheckCommandTests {
  private struct Finding: Decodable {
    struct Position: Decodable {
      var line: Int
      var column: Int
    }
    var severity: String
    var file: String
    var position: Position
    var message: String
    var suggestion: String?
  }

  private func wrongRack(in folder: TemporaryFolder) throws -> String {
    try folder.write(
      "wrong.yaml",
      bytes: Array(
        """
        rack: Wrong
        outputs: { main: {} }
        units:
          echo: { unit: aufx/dely/bkln, parameters: { tyme: 1 s } }
          low: { unit: aufx/lpas/bkln, parameters: { cutoff: 3 dB } }
        connections: [ echo -> low -> mian ]
        """.utf8))
  }

  @Test func theShippedRacksAreRight() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Program.racks.path)
      .filter { $0.hasSuffix(".yaml") }
    #expect(names.count >= 7)
    let paths = names.map { Program.racks.appendingPathComponent($0).path }
    let program = try Program(["check"] + paths)
    #expect(program.waitForEnd() == 0 && program.errors.isEmpty)
    let lines = program.output.split(separator: "\n").map(String.init)
    #expect(lines.count == names.count)
    for path in paths {
      #expect(lines.contains { $0.hasPrefix("\(path): fine, with ") }, "\(path)")
    }
    let quiet = try Program(["check", "--quiet"] + paths)
    #expect(quiet.waitForEnd() == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test func whatIsInARightRackIsSaid() throws {
    let result = try Program.run("check", "dalek-voice")
    #expect(result.output == "dalek-voice: fine, with 4 units, 1 input and 1 output\n")
    let folder = try TemporaryFolder()
    let wrong = try wrongRack(in: folder)
    let both = try Program.run("check", wrong, "small-synth")
    #expect(both.status == 2 && both.output.contains("small-synth: fine, with"))
    #expect(!both.output.contains("wrong.yaml: fine"))
  }

  @Test func unitsThatPlayAloneNeedNoMIDI() throws {
    let folder = try TemporaryFolder()
    let rack = try folder.write(
      "clocks.yaml",
      bytes: Array(
        """
        rack: Clocks
        outputs: { out: { midi: true } }
        units:
          clk: { unit: MIDI Clock }
          seq: { unit: Step Sequencer }
          lfo: { unit: MIDI LFO }
          arp: { unit: Arpeggiator }
        connections: [ clk -> out, seq -> out, lfo -> out, arp -> out ]
        """.utf8))
    let result = try Program.run("check", rack)
    #expect(result.output.split(separator: "\n").filter { $0.contains("warning") }.count == 1)
    #expect(result.output.contains("clocks.yaml:7:3: warning: no MIDI comes to “arp”"))
  }

  @Test func everythingWrongIsSaidWithItsPlace() throws {
    let folder = try TemporaryFolder()
    let wrong = try wrongRack(in: folder)
    let result = try Program.run("check", "dalek-voice", wrong, "no-such-rack")
    #expect(result.status == 2)
    let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("\(wrong):4:47: error:") && $0.contains("time") })
    #expect(lines.contains { $0.hasPrefix("\(wrong):5:") && $0.contains("Hz") })
    #expect(lines.contains { $0.hasPrefix("\(wrong):6:") && $0.contains("“main”") })
    #expect(lines.contains { $0.hasPrefix("no-such-rack:") })
  }

  @Test func aRackThatIsNotThereHasANearestWord() throws {
    for (arguments, word) in [
      (["check", "tape-eco"], "tape-echo"), (["run", "tape-eco"], "tape-echo"),
      (["show", "tape-eco"], "tape-echo"), (["show", "Dely"], "Delay"),
    ] {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == 2)
      #expect((program.output + program.errors).contains("did you mean"))
      #expect((program.output + program.errors).contains(word))
    }
  }

  @Test func onlyAFileIsReadAsOne() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("tape-echo"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.path("pipe.yaml"), 0o600) == 0)
    for (name, status, word) in [
      ("tape-echo", 0, "tape-echo: fine"), ("./tape-echo", 2, "folder"),
      ("pipe.yaml", 2, "no regular file"),
    ] {
      let program = try Program(
        ["check", name], wrapper: ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.url.path])
      #expect(program.waitForEnd() == status)
      #expect(program.output.contains(word))
    }
  }

  @Test func findingsDecodeAsJSON() throws {
    let folder = try TemporaryFolder()
    let wrong = try wrongRack(in: folder)
    let result = try Program.run("check", "--json", wrong)
    #expect(result.status == 2)
    let findings = try JSONDecoder().decode([Finding].self, from: Data(result.output.utf8))
    #expect(findings.count >= 3 && !findings.contains { $0.file != wrong })
    #expect(findings.first?.position.line == 4 && findings.first?.suggestion == "time")
    let right = try Program.run("check", "--json", "tape-echo")
    #expect(right.status == 0)
    #expect(try JSONDecoder().decode([Finding].self, from: Data(right.output.utf8)).isEmpty)
  }
}
