import Documents
import RackModel
import UnitModel

/// A command that assigns a MIDI control.
protocol ControlAssignment: Command {
  var range: [String]? { get set }
  var curve: ParameterCurve? { get set }
  var mode: ControlMode? { get set }
  var picksUp: Bool? { get set }
}

extension ControlAssignment {
  static var assignmentArguments: [CommandArgument<Self>] {
    [
      .option(
        "range", \.range, .value,
        "The values at its lowest and its highest, \"0 %, 50 %\"; the parameter's range without."
      ) { text in
        // With or without the brackets of a rack file.
        text.filter { !"[]".contains($0) }.split(separator: ",", omittingEmptySubsequences: false)
          .map { $0.trimmingSpaces() }
      },
      .option(
        "curve", \.curve, .choice(["linear", "log", "square"]),
        "How the value moves between them: linear, log or square."
      ) { try ParameterCurve(written: $0) },
      .option(
        "mode", \.mode, .choice(ControlMode.allCases.map(\.rawValue)),
        "absolute, toggle, latching, twos-complement, binary-offset or sign-magnitude."
      ) { try ControlMode(written: $0) },
      .flag(
        "pick_up", \.picksUp, "Move nothing until the knob stands where the value is."),
    ]
  }

  func control(from source: String? = nil, to target: String) -> Rack.Control {
    Rack.Control(
      from: source, to: target, range: range, curve: curve, mode: mode, picksUp: picksUp)
  }
}

struct MapControl: EditCommand, ControlAssignment {
  var from = ""
  var to = ""
  var range: [String]?
  var curve: ParameterCurve?
  var mode: ControlMode?
  var picksUp: Bool?

  static let declaration = CommandDeclaration(
    "map", "Assign a MIDI control to a parameter, a bypass or a scene.",
    detail: """
      A control of the same message and `to` is replaced, also where its `from` is written otherwise, as \
      one that was learned is.
      """, examples: ["map \"keys cc 7\" echo.mix"])
  static let arguments: [CommandArgument<Self>] =
    [
      .required(
        "from", \.from, .text, "A MIDI input and its message: \"keys cc 7\", \"keys note C4\"."),
      .required("to", \.to, .target, "What it moves: echo.mix, echo.bypass, \"scene lead\"."),
    ] + assignmentArguments

  func title(in rack: CheckedRack) -> String { "\(to) follows \(from)" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.map(control(from: from, to: to), in: rack)
  }
}

struct ForgetControls: EditCommand {
  var to = ""
  var from: String?

  static let declaration = CommandDeclaration(
    "forget", "Remove the MIDI controls of a parameter, a bypass or a scene.",
    examples: ["forget echo.mix", "forget echo.mix --from \"keys cc 7\""])
  static let arguments: [CommandArgument<Self>] = [
    .required("to", \.to, .mappedTarget, "What they move: echo.mix, \"scene lead\"."),
    .option("from", \.from, .value, "Only the control from here: \"keys cc 7\"."),
  ]

  func title(in rack: CheckedRack) -> String {
    "\(to) no longer follows \(from ?? "MIDI")"
  }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.removeControls(of: to, from: from, in: rack)
  }
}
