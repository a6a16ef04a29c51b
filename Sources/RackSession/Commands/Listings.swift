struct ListRack: Command {
  static let declaration = CommandDeclaration(
    "list", "The rack: ports, units, cables, scenes, controls, songs.", lane: .question,
    access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .listing(session.listing())
  }
}

struct ListCatalogue: Command {
  static let declaration = CommandDeclaration(
    "catalogue", "The units that can be added, with their tags and presets.", lane: .question,
    isSlow: true)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .catalogue(await session.catalogue())
  }
}

struct DrawRack: Command {
  static let declaration = CommandDeclaration(
    "picture", "The rack's graph, drawn: boxes and cables with their places.", lane: .question,
    access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .picture(session.drawing())
  }
}

struct ReadLog: Command {
  static let declaration = CommandDeclaration(
    "log", "What has happened since the rack plays: the last 500 entries.", lane: .question,
    access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .log(await session.engine.logEntries)
  }
}

struct ReadStatus: Command {
  var since: Int?

  static let declaration = CommandDeclaration(
    "status", "The state of the rack: load, xruns, meters, and the time of each unit.",
    lane: .question, access: .stage)
  static let arguments: [CommandArgument<Self>] = [
    .count(
      "since", \.since,
      "The `sampleTime` of an earlier status: peaks are those since then, 10 s at the most.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .status(await session.status(since: since.map(Int64.init)))
  }
}

struct ReadMetrics: Command {
  static let declaration = CommandDeclaration(
    "metrics", "The status in Prometheus' text format.", lane: .question)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .text(Metrics(await session.engine.status(), session.listing()).text)
  }
}
