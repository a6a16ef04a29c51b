import Documents
import Foundation
import RackModel
import Testing

@testable import RackControl
@testable import RackEngine

/// Requests as a line of JSON, and the table that they are declared in.
@Suite struct RequestTests {
  private func decoded(_ text: String) throws -> Request {
    try ControlLine.request(Array(text.utf8)).request.get()
  }

  @Test(arguments: [
    (
      #"{"command":"ramp","parameter":"a.b","value":"0","over":"2 s"}"#,
      Command.ramp(parameter: "a.b", value: "0", over: "2 s")
    ),
    (
      #"{"command":"add","name":"room","unit":"Delay","inputs":2,"into":"a -> b"}"#,
      .edit(.add(name: "room", unit: "Delay", preset: nil, inputs: 2, into: "a -> b"))
    ),
    (
      #"{"command":"set-all","values":"a.b=30 %, c d.e = -6 dB"}"#,
      .setAll([Setting("a.b", "30 %"), Setting("c d.e", "-6 dB")])
    ),
    (
      #"{"command":"set-all","values":"a, b=c.b=30 %,d.e=-6 dB"}"#,
      .setAll([Setting("a, b=c.b", "30 %"), Setting("d.e", "-6 dB")])
    ),
    (
      #"{"command":"store-scene","name":"far away","over":"2 s"}"#,
      .storeScene(name: "far away", over: "2 s")
    ),
    (
      #"{"command":"rename-scene","name":"a","to":"b c"}"#,
      .edit(.renameScene(name: "a", to: "b c"))
    ),
    (#"{"command":"forget","to":"a.b"}"#, .edit(.forget(to: "a.b"))),
    (
      #"{"command":"forget","to":"a.b","from":"keys cc 1"}"#,
      .edit(.forget(to: "a.b", from: "keys cc 1"))
    ),
    (#"{"command":"learn"}"#, .learn(nil)),
    (
      #"{"command":"learn","to":"a.b","range":"0 %, 50 %","curve":"log","mode":"toggle","pick_up":true}"#,
      .learn(
        Rack.Control(
          to: "a.b", range: ["0 %", "50 %"], curve: .logarithmic, mode: .toggle, picksUp: true))
    ),
    (
      #"{"command":"map","from":"keys cc 1","to":"scene far away","pick_up":"off"}"#,
      .edit(.map(Rack.Control(from: "keys cc 1", to: "scene far away", picksUp: false)))
    ),
    (
      #"{"command":"save","path":"/tmp/a b.yaml","force":true}"#,
      .save(SaveRequest(path: "/tmp/a b.yaml", isForced: true))
    ),
    (
      #"{"command":"automate","action":"load","file":"/tmp/a.yaml"}"#,
      .automation(file: "/tmp/a.yaml")
    ),
  ])
  func argumentsAreRead(text: String, command: Command) throws {
    #expect(try decoded(text) == .command(command))
  }

  @Test func aBoxHasAPlaceOrNone() throws {
    #expect(
      try decoded(#"{"command":"layout","name":"echo","x":120,"y":40}"#)
        == .layout("echo", at: BoxPlace(x: 120, y: 40)))
    #expect(
      try decoded(#"{"command":"layout","name":"echo","reset":true}"#) == .layout("echo", at: nil))
    #expect(try decoded(#"{"command":"layout","reset":true}"#) == .layout(nil, at: nil))
  }

  /// The table on the page is this table.
  @Test func theDocumentationHasEveryCommand() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/reference/commands.md")
    var text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- commands -->\n"))
    let end = try #require(text.range(of: "<!-- end of commands -->"))
    let table = CommandDeclaration.documentation
    if ProcessInfo.processInfo.environment["BACKLINE_WRITE_DOCS"] != nil {
      text.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
      try text.write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(
        text[start.upperBound..<end.lowerBound] == table,
        "run this test with BACKLINE_WRITE_DOCS=1 to write it")
    }
  }

  @Test(arguments: CommandDeclaration.all)
  func aDeclarationIsComplete(declaration: CommandDeclaration) throws {
    #expect(CommandDeclaration.all.filter { $0.word == declaration.word }.count == 1)
    #expect(
      declaration.summary.hasSuffix(".")
        && declaration.arguments.allSatisfy { $0.help.hasSuffix(".") })
    for example in declaration.examples { #expect(example.hasPrefix(declaration.word)) }
  }

  @Test func numbersAndSwitchesCountAsWritten() throws {
    #expect(
      try decoded(#"{"id":7,"command":"set","parameter":"echo.mix","value":-6.5}"#)
        == .command(.set(parameter: "echo.mix", value: "-6.5")))
    #expect(
      try decoded(#"{"command":"set","parameter":"echo.bypass","value":true}"#)
        == .command(.set(parameter: "echo.bypass", value: "true")))
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
