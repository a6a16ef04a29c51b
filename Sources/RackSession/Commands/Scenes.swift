import Documents
import RackModel

/// The command that sets the values of a scene over the scene's time.
struct RecallScene: Command {
  var name = ""

  static let declaration = CommandDeclaration(
    "scene", "Recall a scene of the rack.",
    detail: "Its values are set in the time that it takes. One step to undo.", lane: .gesture,
    access: .stage, expires: true)
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .scene, "The scene's name.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.recall(name))
  }
}

/// The command that stores the present values as a scene; of ramps, the values at their ends.
struct StoreScene: Command {
  var name = ""
  var over: String?

  static let declaration = CommandDeclaration(
    "store-scene", "Store the present values as a scene, a new one or one of the rack.",
    detail: """
      It stores all that a scene of the rack sets, and all that was moved since a scene was recalled or \
      stored last, or else since the rack was loaded. Of what no scene has set until now, the other scenes \
      get the former value, so that they sound as they did. A scene sets 256 values at the most.
      """, examples: ["store-scene lead", "store-scene \"far away\" --over 2s"])
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .text, "The scene's name."),
    .option("over", \.over, .value, "How long it takes; the time that it has without."),
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let before = await session.present(atEndOfRamps: true)
    let editor = RackEditor(session.checker(session.rack))
    let after = try editor.storeScene(name, over: over, of: before, since: session.sceneStart.units)
    let done = try await session.change(from: before, to: after, title: "scene \(name) stored")
    session.startScene(name)
    return .done(done)
  }
}

struct RenameScene: EditCommand {
  var name = ""
  var to = ""

  static let declaration = CommandDeclaration(
    "rename-scene", "Rename a scene of the rack.",
    detail: "Controls follow it; a set list that names it is a file of its own, and does not.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .scene, "The scene's name."),
    .required("to", \.to, .text, "Its new name."),
  ]

  func title(in rack: CheckedRack) -> String { "scene \(name) renamed to \(to)" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.renameScene(name, to: to, in: rack)
  }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let done = try await session.apply(self)
    if session.sceneStart.name == name { session.sceneStart.name = to }
    return .done(done)
  }
}

struct RemoveScene: EditCommand {
  var name = ""

  static let declaration = CommandDeclaration(
    "remove-scene", "Remove a scene of the rack, and the controls that recall it.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .scene, "The scene's name.")
  ]

  func title(in rack: CheckedRack) -> String { "scene \(name) removed" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.removeScene(name, from: rack)
  }
}
