import Documents
import RackModel
import UnitModel

struct Modulate: EditCommand {
  var from = ""
  var to = ""
  var depth = ""
  var curve: ParameterCurve?
  var isLate: Bool?

  static let declaration = CommandDeclaration(
    "modulate", "Let sound move a parameter around its knob's place.",
    detail: "A modulation with the same `from` and `to` is replaced.",
    examples: ["modulate lfo filter.cutoff \"30 %\""])
  static let arguments: [CommandArgument<Self>] = [
    .required("from", \.from, .text, "Where it comes from: lfo, \"pair channel 2\"."),
    .required("to", \.to, .target, "What it moves: filter.cutoff."),
    .required("depth", \.depth, .value, "Part of its travel for a sample of 1: \"30 %\"."),
    .option(
      "curve", \.curve, .text, "linear (default), or square: small samples move it less."
    ) { try ParameterCurve(written: $0) },
    .flag("late", \.isLate, "Later by a cycle, which allows a loop."),
  ]

  func title(in rack: CheckedRack) -> String { "\(from) modulates \(to)" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    let modulation = Rack.Modulation(from: from, to: to, depth: depth, curve: curve, isLate: isLate)
    return try editor.modulate(modulation, in: rack)
  }
}

struct EndModulations: EditCommand {
  var to = ""
  var from: String?

  static let declaration = CommandDeclaration(
    "unmodulate", "Remove the modulations of a parameter.",
    examples: ["unmodulate filter.cutoff", "unmodulate filter.cutoff --from lfo"])
  static let arguments: [CommandArgument<Self>] = [
    .required("to", \.to, .target, "What they move: filter.cutoff."),
    .option("from", \.from, .value, "Only the modulation from here: lfo."),
  ]

  func title(in rack: CheckedRack) -> String {
    "\(from ?? "nothing") \(from == nil ? "" : "no longer ")modulates \(to)"
  }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.removeModulations(of: to, by: from, in: rack)
  }
}
