import RackModel

struct PlaySong: Command {
  var name = ""

  static let declaration = CommandDeclaration(
    "song", "Play a song of the set list.", access: .stage, expires: true,
    target: .init("song", calls: "song", rest: .name(argument: "name")))
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .song, "The song's name or its number.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.play(song: try session.index(ofSong: name)))
  }
}

struct PlayNextSong: Command {
  static let declaration = CommandDeclaration(
    "next", "Play the next song of the set list.", access: .stage, expires: true,
    target: .init("next song", calls: "next"))

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.play(song: try session.index(songsOn: 1)))
  }
}

struct PlayPreviousSong: Command {
  static let declaration = CommandDeclaration(
    "previous", "Play the previous song of the set list.", access: .stage, expires: true,
    target: .init("previous song", calls: "previous"))

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.play(song: try session.index(songsOn: -1)))
  }
}

extension Commands {
  /// Whether a called command plays a song, which only a set list has.
  package static func needsSetList(_ call: CalledCommand) -> Bool {
    [PlaySong.word, PlayNextSong.word, PlayPreviousSong.word].contains(call.form.word)
  }
}
