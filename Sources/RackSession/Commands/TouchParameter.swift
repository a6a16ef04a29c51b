import Documents
import RackModel

/// The command that starts a gesture on a parameter. All sets of the parameters that a peer holds are one step to
/// undo, until the peer releases them.
struct TouchParameter: Command {
  var parameter = ""

  static let declaration = CommandDeclaration(
    "touch", "Take hold of a parameter.",
    detail: "Until it is released, all sets of what the peer holds are one step to undo.",
    lane: .question)
  static let arguments: [CommandArgument<Self>] = [
    .required("parameter", \.parameter, .parameter, "The parameter, as in echo.mix.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let path = try ParameterPath(parameter)
    try session.find(path).checkWritable()
    // Nothing would release the parameter of a peer without a connection.
    if let peer, peer.isConnected {
      session.hold(path, by: peer)
    }
    return .moved("\(parameter) is held", try session.reading(of: parameter))
  }
}

/// The command that ends a gesture on a parameter; the answer is the parameter's value.
struct ReleaseParameter: Command {
  var parameter = ""

  static let declaration = CommandDeclaration(
    "release", "Let go of a parameter.", detail: "A connection that ends lets go of all.",
    lane: .question)
  static let arguments: [CommandArgument<Self>] = [
    .required("parameter", \.parameter, .parameter, "The parameter, as in echo.mix.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    if let peer { session.release(try ParameterPath(parameter), by: peer) }
    return .moved("\(parameter) is released", try session.reading(of: parameter))
  }
}
