import UnitModel

struct StartTransport: Command {
  static let declaration = CommandDeclaration(
    "play", "Start JACK's transport.", lane: .gesture, access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try await session.engine.startTransport()
    return .done("the transport rolls")
  }
}

struct StopTransport: Command {
  static let declaration = CommandDeclaration(
    "stop", "Stop JACK's transport.", lane: .gesture, access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try await session.engine.stopTransport()
    return .done("the transport is stopped")
  }
}

struct LocateTransport: Command {
  var seconds = 0.0

  static let declaration = CommandDeclaration(
    "locate", "Move JACK's transport to a time.", lane: .gesture)
  static let arguments: [CommandArgument<Self>] = [
    .required("to", \.seconds, .value, "From the beginning: 0, 12.5 s, 1:30.") {
      Double(try Quantity.parse($0, for: time, name: "to"))
    }
  ]

  /// The range of times: JACK counts 32 bits of frames, at any sample rate.
  private static let time = ParameterInfo(
    identifier: "to", name: "to", unit: .seconds, minimum: 0, maximum: 20_000, defaultValue: 0)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try await session.engine.locate(seconds)
    return .done("the transport is at \(Quantity.format(Float(seconds), for: Self.time))")
  }
}
