import Documents
import RackModel
import UnitModel

struct AddUnit: EditCommand {
  var name = ""
  var unit = ""
  var preset: String?
  var inputs: Int?
  var into: String?

  static let declaration = CommandDeclaration(
    "add", "Add a unit to the rack.", detail: "Without `into` it has no cables yet.",
    examples: ["add room Delay --into \"echo -> main\""])
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .text, "Its name in the rack."),
    .required("unit", \.unit, .component, "Which unit: aufx/dely/bkln, Delay, a bundle's path."),
    .option("preset", \.preset, .text, "A preset to start with."),
    .count("inputs", \.inputs, "How many inputs, for units that allow more than they declare."),
    .option("into", \.into, .chain, "A cable to put it into, as in \"gate -> echo\"."),
  ]

  func access(in session: isolated RackSession) -> Access { .naming(unit: unit) }

  func title(in rack: CheckedRack) -> String {
    let source = into.flatMap { try? Rack.Chain($0) }?.endpoints.first?.value
    return "\(rack.component(of: name)) added as \(name)" + (source.map { " after \($0)" } ?? "")
  }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.add(name, unit, preset: preset, inputs: inputs, into: into, to: rack)
  }
}

struct RemoveUnit: EditCommand {
  var name = ""

  static let declaration = CommandDeclaration(
    "remove", "Remove a unit.",
    detail: """
      Its inputs are connected to where its output went, as far as they fit (MIDI into a synth is not \
      connected to an audio input); a cable to or from a named bus (`mix.2`) ends there.
      """)
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it.")
  ]

  func title(in rack: CheckedRack) -> String { "\(name) removed" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.remove(name, from: rack)
  }
}

struct ReplaceUnit: EditCommand {
  var name = ""
  var unit = ""

  static let declaration = CommandDeclaration(
    "replace", "Put another unit in a unit's place, under its name and with its cables.",
    detail: "The bypass stays; the parameters are the new unit's.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it."),
    .required("unit", \.unit, .component, "The new unit: aufx/dely/bkln, Delay."),
  ]

  func access(in session: isolated RackSession) -> Access { .naming(unit: unit) }

  func title(in rack: CheckedRack) -> String {
    "\(name) replaced by \(rack.component(of: name))"
  }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.replace(name, by: unit, in: rack)
  }
}

struct RenameUnit: EditCommand {
  var name = ""
  var to = ""

  static let declaration = CommandDeclaration(
    "rename", "Rename a unit.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it."),
    .required("to", \.to, .text, "Its new name."),
  ]

  func title(in rack: CheckedRack) -> String { "\(name) renamed to \(to)" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.rename(name, to: to, in: rack)
  }
}

extension CheckedRack {
  /// Returns the name of a unit's component, `Delay`.
  fileprivate func component(of unit: String) -> String {
    plan.units.first { $0.name == unit }?.facts.name ?? unit
  }
}

extension Access {
  /// Returns the access to name a unit: `files` for a path of a bundle, a plug-in or a rack file, which is code.
  fileprivate static func naming(unit: String) -> Access {
    UnitReference(unit).path == nil ? .edit : .files
  }
}
