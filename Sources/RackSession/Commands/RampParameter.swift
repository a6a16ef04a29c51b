import RackModel

/// The command that moves a parameter to a value over a time.
struct RampParameter: Command {
  var parameter = ""
  var value = ""
  var over = ""

  static let declaration = CommandDeclaration(
    "ramp", "Move a parameter to a value over a time.",
    detail: """
      It moves evenly along the parameter's curve, as its knob would, for an hour at the most. Another \
      command, MIDI or a scene that sets the parameter ends the ramp. A switch changes half-way.
      """, examples: ["ramp echo.mix 0 % --over 4s"], lane: .gesture)
  static let arguments: [CommandArgument<Self>] = [
    .required("parameter", \.parameter, .parameter, "The parameter, as in echo.mix."),
    .required("value", \.value, .value, "The value at the end."),
    .required("over", \.over, .time, "How long it takes: 2s, 500 ms.", label: "over"),
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try session.ramp(try ParameterPath(parameter), to: value, over: over))
  }
}
