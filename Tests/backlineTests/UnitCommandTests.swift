import BacklineTestSupport
import Foundation
import Testing

/// backline units, show, schema and the program's own words.
struct UnitCommandTests {
  private struct Listed: Decodable {
    struct Parameter: Decodable { var keyPath: String }
    var unit: String
    var name: String
    var tags: [String]
    var parameters: [Parameter]
    var presets: [String]
  }

  private func decode(_ result: Program.Result) throws -> [Listed] {
    try JSONDecoder().decode([Listed].self, from: Data(result.output.utf8))
  }

  @Test func unitsAreListedALineEach() throws {
    let result = try Program.run("units")
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(lines.count >= 10)
    #expect(lines.contains { $0.hasPrefix("aufx/dely/bkln") && $0.contains("Delay") })
  }

  @Test func wildcardsAndTagsChoose() throws {
    let effects = try decode(try Program.run("units", "aufx/*/*", "--json"))
    #expect(effects.count >= 6 && !effects.contains { !$0.unit.hasPrefix("aufx/") })
    let filters = try decode(try Program.run("units", "--tag", "filter", "--json"))
    #expect(filters.map(\.unit).sorted() == ["aufx/hpas/bkln", "aufx/lpas/bkln"])
    let words = try decode(try Program.run("units", "LOW-pass", "backline", "--json"))
    #expect(words.map(\.unit) == ["aufx/lpas/bkln"])
    let preset = try decode(try Program.run("units", "rodent", "--json"))
    #expect(preset.map(\.unit) == ["aufx/drvs/bkln"])
    let all = try decode(try Program.run("units", "--json"))
    let distortion = try #require(all.first { $0.unit == "aufx/dist/bkln" })
    #expect(distortion.presets.contains("Alien Chatter"))
    #expect(distortion.parameters.map(\.keyPath).contains("drive"))
    #expect(all.count > effects.count)
  }

  @Test func anUnknownTagOrDescriptionIsSaidOnStandardError() throws {
    let tag = try Program.run("units", "--tag", "Filtr")
    #expect(tag.status == 1 && tag.output.isEmpty)
    #expect(tag.errors.contains("did you mean “Filter”?"))
    let nothing = try Program.run("units", "zzzz/*/*")
    #expect(nothing.status == 1 && nothing.output.isEmpty && nothing.errors.contains("zzzz/*/*"))
    let words = try Program.run("units", "delay", "nonsense")
    #expect(words.status == 1 && words.output.isEmpty)
    #expect(words.errors.contains("no unit is described by delay nonsense"))
  }

  @Test func aUnitIsShownWithAllThereIs() throws {
    for name in ["aufx/dely/bkln", "delay", "Delay"] {
      let result = try Program.run("show", name)
      #expect(result.status == 0)
      for word in ["ping_pong", "Slapback", "375 ms", "input", "output"] {
        #expect(result.output.contains(word), "\(word)")
      }
    }
  }

  @Test func parametersAreShownByGroupAndNumberedForTheOverview() throws {
    let lines = try Program.run("show", "Distortion").output.split(separator: "\n")
      .map { $0.split(separator: " ") }
    #expect(lines.contains { $0.starts(with: ["1", "drive", "18", "dB"]) })
    let ring = try #require(lines.firstIndex { $0 == ["Ring", "Modulator:"] })
    #expect(lines[ring + 1].starts(with: ["ring.frequency", "440", "Hz"]))
    let listing = try Program.run("units", "aufx/dist/bkln", "--json").output
    #expect(listing.contains("\"group\" : \"ring\""))
    #expect(listing.contains("\"overviewRank\" : 1"))
    #expect(listing.contains("\"unitName\" : \"dB\""))
  }

  @Test func aRackIsShownAndDrawn() throws {
    let text = try Program.run("show", "dalek-voice")
    #expect(text.status == 0 && text.output.contains("rumble -> ring"))
    #expect(text.output.contains("frequency: 22 Hz"))
    let drawing = try Program.run("show", "--dot", "dalek-voice")
    #expect(drawing.output.hasPrefix("digraph \"Dalek voice\" {"))
    #expect(drawing.output.contains("\"rumble\" -> \"ring\""))
    let picture = try Program.run("show", "--svg", "dalek-voice").output
    #expect(picture.hasPrefix("<svg ") && picture.contains("mic -> rumble, rumble -> ring"))
    #expect(picture.contains(">rumble</text>") && picture.hasSuffix("</svg>\n"))
    let list = try Program.run("show", "evning")
    #expect(list.status == 2 && list.errors.contains("did you mean “evening”?"))
    let missing = try Program.run("show", "no-such-rack")
    #expect(
      missing.status == 2 && missing.output.isEmpty && missing.errors.contains("no-such-rack"))
  }

  @Test func aRackIsShownWithItsProcesses() throws {
    let folder = try TemporaryFolder()
    let foreign = try TestBundle(in: folder.url.path) {
      $0.replacingOccurrences(of: "in_process: true", with: "in_process: false")
    }
    let rack = try folder.write(
      "apart.yaml",
      bytes: Array(
        """
        rack: Apart
        processes: { timeout: 40 % }
        inputs: { mic: }
        outputs: { main: }
        units:
          drive: { unit: Distortion }
          short: { unit: Delay, process: group echoes }
          long: { unit: Delay, process: group echoes }
          tone: { unit: Gain, process: own, pipeline: true }
          other: { unit: ./Template.unit }
        connections:
          - mic -> drive -> short -> long -> tone -> other -> main
        """.utf8))
    let lines = try Program.run("show", rack).output.split(separator: "\n").map(String.init)
    #expect(lines.contains("processes  timeout 40 %, processor auto, restarts 5"))
    for (unit, ending) in [
      ("drive", " out"), ("short", "in the process of group echoes"),
      ("tone", "in a process of its own, pipelined"), ("other", "in a process of its own"),
    ] {
      let line = try #require(lines.first { $0.hasPrefix("\(unit)  ") })
      #expect(line.hasSuffix(ending))
    }
    let drawing = try Program.run("show", "--dot", rack).output
    #expect(drawing.contains("label=\"group echoes\"; \"short\"; \"long\"; }"))
    #expect(!drawing.contains("; \"drive\";"))
    let host = try folder.write(
      "host.yaml",
      bytes: Array("rack: x\nunits: { a: { unit: ./Template.unit, process: host } }".utf8))
    let refused = try Program.run("check", host)
    #expect(refused.status == 2)
    #expect(
      refused.output.contains("in_process: true") && refused.output.contains(foreign.manifestPath))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")))
  func graphvizTakesTheDrawing() throws {
    let drawing = try Program.run("show", "--dot", "drum-crusher").output
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dot")
    process.arguments = ["-Tplain"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(drawing.utf8))
    try input.fileHandleForWriting.close()
    let plain = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(plain.split(separator: "\n").filter { $0.hasPrefix("node") }.count == 8)
  }

  @Test func theSchemaIsJSON() throws {
    let result = try Program.run("schema")
    let schema = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect(result.status == 0 && schema is [String: Any])
    #expect(result.output.contains("aufx/dely/bkln"))
  }

  @Test func theVersionIsANumber() throws {
    let result = try Program.run("--version")
    #expect(result.status == 0)
    #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test(arguments: ["run", "play", "render", "check", "show", "units", "schema"])
  func everyCommandHelps(command: String) throws {
    let general = try Program.run("--help")
    #expect(general.status == 0 && general.output.contains(command))
    let own = try Program.run(command, "--help")
    #expect(own.status == 0 && own.errors.isEmpty)
    #expect(own.output.contains("OVERVIEW") && own.output.contains("USAGE: backline \(command)"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreWritten(shell: String) throws {
    let result = try Program.run("--generate-completion-script", shell)
    #expect(result.status == 0 && result.output.contains("render"))
    let script = "/usr/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: script) else { return }
    let (process, input) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: script)
    process.arguments = ["-n"]
    process.standardInput = input
    try process.run()
    input.fileHandleForWriting.write(Data(result.output.utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func aWordInTheWrongPlaceIsSetRight() throws {
    for (arguments, advice) in [
      (["rnu", "tape-echo"], "no command “rnu”; did you mean “run”?"),
      (["tape-echo"], "backline run tape-echo"), (["my.yaml"], "backline run my.yaml"),
      (["Ring Modulator"], "backline play aufx/ring/bkln"),
      (["nonsense"], "there are run, page, play, render"),
      (["run", "delay"], "backline play aufx/dely/bkln"),
      (["run", "nonsense"], "racks: ambient-pad, american-clean, arpeggio"),
      (["run", "elsewhere/tape-echo.yaml"], "did you mean “tape-echo”?"),
      (["play", "tape-echo"], "backline run tape-echo"),
      (["play", "aufx/dley/bkln"], "did you mean “aufx/dely/bkln”?"),
    ] {
      let program = try Program(arguments)
      #expect([2, 64].contains(program.waitForEnd()) && program.output.isEmpty)
      #expect(program.errors.contains(advice), "\(program.errors)")
    }
  }

  /// The test asks the program as the completion scripts do, so that a shell offers racks, files and units.
  @Test func racksAndUnitsAreCompleted() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("mine.yaml", bytes: [])
    _ = try folder.write("other.txt", bytes: [])
    try FileManager.default.createDirectory(
      atPath: folder.path("more"), withIntermediateDirectories: false)
    func words(_ command: String, _ prefix: String) throws -> [String] {
      let program = try Program(
        ["---completion", command, "--", "positional@0", "2", "\(prefix.utf8.count)"]
          + ["backline", command, prefix],
        wrapper: [
          "env", "SAP_SHELL=bash", "sh", "-c", "cd \"$0\" && exec \"$@\"", folder.url.path,
        ])
      #expect(program.waitForEnd() == 0, "\(program.errors)")
      return program.output.split(separator: "\n").map(String.init)
    }
    for command in ["run", "render", "check", "show"] {
      let found = try words(command, "")
      #expect(Set(found).isSuperset(of: ["tape-echo", "mine.yaml", "more"]), "\(found)")
      #expect(!found.contains("other.txt"))
    }
    let inFolder = try words("run", folder.path("m"))
    #expect(inFolder.contains(folder.path("mine.yaml")) && !inFolder.contains("tape-echo"))
    #expect(try words("play", "").contains("Ring Modulator"))
  }

  @Test func wrongUseEndsWith64() throws {
    for arguments in [
      ["nonsense"], ["run"], ["render", "dalek-voice", "--bits", "7"], ["render", "dalek-voice"],
      ["render", "dalek-voice", "--out", "main=x.wav", "--rate", "44100.5"],
      ["run", "tape-echo", "--server-name", "a b/c"],
      ["run", "tape-echo", "--server-name", String(repeating: "a", count: 300)],
      ["run", "tape-echo", "--server", "dummy", "--device", "hw:0"],
    ] {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == 64, "\(arguments)")
      #expect(program.output.isEmpty && !program.errors.isEmpty)
      #expect(!program.errors.contains("<subcommand>"))
    }
  }

  @Test(arguments: ["units", "schema", "--help"]) func aFullOutputIsSaid(command: String) throws {
    let program = try Program(
      [command], wrapper: ["sh", "-c", "exec \"$0\" \"$@\" > /dev/full"])
    #expect(program.waitForEnd() == 1)
    #expect(program.errors == "error: standard output: No space left on device\n")
  }

  @Test func backslashesAndQuotesAreDrawn() throws {
    let folder = try TemporaryFolder()
    let rack = try folder.write(
      "odd.yaml",
      bytes: Array(
        #"""
        rack: 'odd "\'
        outputs: { main: {} }
        units: { 'a\': { unit: augn/play/bkln } }
        connections: [ 'a\ -> main' ]
        """#.utf8))
    let drawing = try Program.run("show", "--dot", rack)
    #expect(drawing.status == 0, "\(drawing.errors)")
    #expect(drawing.output.hasPrefix(#"digraph "odd \"\\" {"#))
    #expect(drawing.output.contains(#""a\\" [label="a\\\naugn/play/bkln"]"#))
  }
}
