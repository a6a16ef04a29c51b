import Documents
import RackModel

struct Connect: EditCommand {
  var chain = ""

  static let declaration = CommandDeclaration(
    "connect", "Connect a chain, as in a rack file.")
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "chain", \.chain, .chain, "The chain: \"gate -> echo -> mix.1\", or gate echo mix.1.")
  ]

  func title(in rack: CheckedRack) -> String { "\(chain.withArrows) connected" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.connect(chain, in: rack)
  }
}

struct Disconnect: EditCommand {
  var chain = ""

  static let declaration = CommandDeclaration(
    "disconnect", "Remove the cables of a chain.")
  static let arguments: [CommandArgument<Self>] = [
    .required("chain", \.chain, .chain, "The chain: \"gate -> echo\", or gate echo.")
  ]

  func title(in rack: CheckedRack) -> String { "\(chain.withArrows) disconnected" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.disconnect(chain, in: rack)
  }
}

extension String {
  /// The chain with arrows as people write them: `gate → echo ⇝ gate`.
  fileprivate var withArrows: String { replacing("->", with: "→").replacing("~>", with: "⇝") }
}
