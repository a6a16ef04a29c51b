import Foundation
import RackModel
import Testing

/// Commands as a line of JSON.
@Suite struct CommandTests {
  private func decoded(_ text: String) throws -> Command {
    try JSONDecoder().decode(Command.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    Command.set(parameter: "echo.mix", value: "30 %"),
    .ramp(parameter: "echo.mix", value: "0", over: "2 s"), .reset(parameter: "mix.2.gain"),
    .edit(.add(name: "room", unit: "Delay", preset: "Slapback", inputs: 2, into: "a -> b")),
    .edit(.add(name: "room", unit: "Delay", preset: nil, inputs: nil, into: nil)),
    .edit(.remove(name: "room")), .edit(.replace(name: "room", unit: "Tremolo")),
    .edit(.rename(name: "room", to: "hall")), .edit(.connect("a -> b.1")),
    .edit(.disconnect("a -> b.1")), .edit(.loadPreset(name: "room", preset: "Slapback")),
    .learn(nil), .learn(ControlSettings(to: "echo.mix")),
    .learn(
      ControlSettings(
        to: "echo.mix", range: "0 %, 50 %", curve: "log", mode: "toggle", picksUp: true)),
    .edit(.map(from: "keys cc 1", ControlSettings(to: "scene far away", picksUp: false))),
    .edit(.forget(to: "echo.mix")),
    .load(rack: "tape-echo"), .reload, .automation(file: "/tmp/moves.yaml"), .scene("far away"),
    .undo, .redo,
    .save(SaveRequest()), .save(SaveRequest(path: "/tmp/a b.yaml", isForced: true)),
    .save(SaveRequest(keepsConnections: true)),
  ])
  func comeBackAsTheyWere(command: Command) throws {
    let text = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
    #expect(try decoded(text) == command, "\(text)")
  }

  @Test func numbersAndSwitchesCountAsWritten() throws {
    #expect(
      try decoded(#"{"id":7,"command":"set","parameter":"echo.mix","value":-6.5}"#)
        == .set(parameter: "echo.mix", value: "-6.5"))
    #expect(
      try decoded(#"{"command":"set","parameter":"echo.bypass","value":true}"#)
        == .set(parameter: "echo.bypass", value: "true"))
  }

  @Test(arguments: [
    ("[]", "a request is an object"), ("{}", "the request has no “command”"),
    (#"{"command":"sett"}"#, "there is no command “sett”; did you mean “set”?"),
    (#"{"command":"set","parameter":"a.b"}"#, "“set” wants “value”"),
    (#"{"command":"learn","curve":"log"}"#, "so “curve” says nothing"),
    (#"{"command":"learn","to":"a.b","pick_up":"maybe"}"#, "“pick_up” is true or false"),
    (#"{"command":"save","path":"a.yaml"}"#, "“path” is a path from the root"),
    (#"{"command":"automation","file":"a.yaml"}"#, "“file” is a path from the root"),
    (#"{"command":"undo","steps":2}"#, "“undo” has no argument “steps”; it takes none"),
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
