import Documents
import Foundation
import RackModel
import Testing

@testable import RackControl
@testable import RackSession

/// Commands as a line of JSON and as people type them, and the table of all commands.
@Suite struct CommandReadingTests {
  private func decoded(_ text: String) throws -> any Command {
    try ControlLine.command(Array(text.utf8)).command.get()
  }

  @Test(arguments: [
    (#"{"command":"ramp","parameter":"a.b","value":"0","over":"2 s"}"#, "ramp a.b 0 --over 2 s"),
    (#"{"command":"ramp","parameter":"a.b","value":"0 %","over":"2s"}"#, "ramp a.b --over=2s 0 %"),
    (
      #"{"command":"add","name":"room","unit":"Delay","inputs":2,"into":"a -> b"}"#,
      #"add --into "a -> b" room Delay --inputs 2"#
    ),
    (#"{"command":"set","parameter":"a.b","value":"-6 dB"}"#, "set a.b -6 dB"),
    (#"{"command":"set","parameter":"a.b","value":"--x"}"#, "set a.b -- --x"),
    (#"{"command":"save","force":true}"#, "save --force=yes"),
    (#"{"command":"save","force":false}"#, "save --force=off"),
    (#"{"command":"rename","name":"-a","to":"b"}"#, "rename -- -a b"),
    (#"{"command":"connect","chain":"a -> b -> c"}"#, "connect a b c"),
    (
      #"{"command":"set-all","values":"a.b=30 %, c d.e = -6 dB"}"#,
      "set-all a.b = 30 %,c d.e=-6 dB"
    ),
    (
      #"{"command":"set-all","values":"a, b=c.b=30 %,d.e=-6 dB"}"#,
      "set-all a, b=c.b=30 %, d.e=-6 dB"
    ),
    (
      #"{"command":"store-scene","name":"far away","over":"2 s"}"#,
      #"store-scene "far away" --over "2 s""#
    ),
    (#"{"command":"rename-scene","name":"a","to":"b c"}"#, #"rename-scene a "b c""#),
    (#"{"command":"forget","to":"a.b","from":"keys cc 1"}"#, #"forget a.b --from "keys cc 1""#),
    (#"{"command":"learn"}"#, "learn"),
    (
      #"{"command":"learn","to":"a.b","range":"0 %, 50 %","curve":"log","mode":"toggle","pick_up":true}"#,
      #"learn a.b --range "[0 %,50 %]" --curve log --mode toggle --pick-up"#
    ),
    (
      #"{"command":"map","from":"keys cc 1","to":"scene far away"}"#,
      #"map "keys cc 1" "scene far away""#
    ),
    (#"{"command":"save","path":"/tmp/a b.yaml","force":true}"#, #"save --force "/tmp/a b.yaml""#),
    (
      #"{"command":"automate","action":"load","file":"/tmp/a.yaml"}"#,
      "automate load /tmp/a.yaml"
    ),
    (
      #"{"command":"automate","action":"start","file":"/tmp/a.yaml"}"#,
      "automate start --out /tmp/a.yaml"
    ),
    (#"{"command":"record","action":"start","of":"a,b"}"#, "record start a b"),
    (#"{"command":"layout","name":"echo","x":120,"y":40}"#, "layout echo --x 120 --y 40"),
    (#"{"command":"midi","to":"keys","bytes":"90 3C 64"}"#, "midi keys 90 3C 64"),
    (
      #"{"command":"express","to":"a","key":60,"expression":"pan","value":-1}"#,
      "express a C4 pan -1 --channel 1"
    ),
  ])
  func aLineAndAnObjectSayTheSame(object: String, line: String) throws {
    #expect("\(try decoded(object))" == "\(try Commands.read(line: line))")
  }

  @Test func valuesHaveTypes() throws {
    let learn = try #require(
      try Commands.read(line: "learn a.b --range \"0 %, 50 %\" --curve log --mode toggle")
        as? LearnControl)
    #expect(
      learn.control(to: "a.b")
        == Rack.Control(to: "a.b", range: ["0 %", "50 %"], curve: .logarithmic, mode: .toggle))
    let midi = try #require(try Commands.read(line: "midi keys 90 3c 64") as? SendMIDI)
    #expect(midi.bytes == [0x90, 0x3C, 0x64])
    let save = try #require(try Commands.read(line: "save") as? SaveRack)
    #expect(save == SaveRack())
  }

  @Test(arguments: [
    ("ramp a.b 0 --over", "“--over” needs a value"),
    ("add a b --intp c", "“add” has no option “--intp”; did you mean “--into”?"),
    ("undo twice", "“undo” does not take “twice” any more"),
    ("udno", "there is no command “udno”; did you mean “undo”?"), ("", "there is no command “”"),
    ("set a.b", "“set” needs “value”"), ("save -f", "“save” has no option “-f”"),
    ("rename -a b", "“rename” has no option “-a”"),
    ("save --force=perhaps", "“force” must be true or false"),
    ("learn echo.mix --cancel", "leave “to” out"),
  ])
  func aWrongLineIsRefused(line: String, reason: String) {
    let error = #expect(throws: Refusal.self) { try Commands.read(line: line) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
  }

  /// The table on the page equals the program's.
  @Test func theDocumentationHasEveryCommand() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/reference/commands.md")
    var text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- commands -->\n"))
    let end = try #require(text.range(of: "<!-- end of commands -->"))
    let table = Commands.documentation
    if ProcessInfo.processInfo.environment["BACKLINE_WRITE_DOCS"] != nil {
      text.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
      try text.write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(
        text[start.upperBound..<end.lowerBound] == table,
        "run this test with BACKLINE_WRITE_DOCS=1 to write it")
    }
  }

  @Test func everyCommandIsComplete() throws {
    let words = Commands.words()
    #expect(Set(words).count == words.count)
    for command in Commands.all {
      #expect(command.declaration.summary.hasSuffix("."), "\(command.word)")
      #expect(command.argumentInfos.allSatisfy { $0.help.hasSuffix(".") }, "\(command.word)")
      // Relative paths are resolved by the command line.
      for example in command.declaration.examples
      where !example.contains(".yaml") && !example.contains("--out") {
        #expect(type(of: try Commands.read(line: example)) == command, "\(example)")
      }
    }
  }

  @Test func numbersAndSwitchesCountAsWritten() throws {
    #expect(
      "\(try decoded(#"{"id":7,"command":"set","parameter":"echo.mix","value":-6.5}"#))"
        == "\(SetParameter(parameter: "echo.mix", value: "-6.5"))")
    #expect(
      "\(try decoded(#"{"command":"set","parameter":"echo.bypass","value":true}"#))"
        == "\(SetParameter(parameter: "echo.bypass", value: "true"))")
  }

  @Test(arguments: [
    ("[]", "a request is one line of JSON"), ("{}", "the request has no “command”"),
    (#"{"command":"sett"}"#, "there is no command “sett”; did you mean “set”?"),
    (#"{"command":"set","parameter":"a.b"}"#, "“set” needs “value”"),
    (#"{"command":"learn","curve":"log"}"#, "so “curve” has no meaning"),
    (#"{"command":"learn","to":"a.b","pick_up":"maybe"}"#, "“pick_up” must be true or false"),
    (#"{"command":"set-all","values":"a.b=1,c.d"}"#, "“c.d” sets nothing; write PARAMETER=VALUE"),
    (#"{"command":"layout"}"#, "“layout” needs “name”, “x” and “y”, or “reset”"),
    (#"{"command":"layout","name":"a","x":-1,"y":0}"#, "must be 0 to 10000"),
    (#"{"command":"save","path":"a.yaml"}"#, "“path” must be an absolute path"),
    (#"{"command":"automation","file":"a.yaml"}"#, "“file” must be an absolute path"),
    (#"{"command":"undo","steps":2}"#, "“undo” has no argument “steps”; it takes none"),
    (#"{"command":"record","action":"strat"}"#, "not “strat”; did you mean “start”?"),
    (#"{"command":"subscribe","meters":99}"#, "“meters” must be 0.1 to 50 times a second"),
    (#"{"command":"set","parameter":["a"],"value":1}"#, "“parameter” must be a text"),
    (
      #"{"command":"add","name":"a","unit":"b","input":2}"#,
      "it takes name, unit, preset, inputs, into; did you mean “inputs”?"
    ),
  ])
  func whatIsNoneIsRefused(text: String, reason: String) throws {
    let error = #expect(throws: Refusal.self) { try decoded(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
  }

  @Test(arguments: ["echo", ".mix", "echo.", ""])
  func aParameterHasAUnitBeforeIt(text: String) {
    #expect(throws: Refusal.self) { try ParameterPath(text) }
  }
}
