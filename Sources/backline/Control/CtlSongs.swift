import ArgumentParser
import RackEngine
import RackModel
import RackSession

extension Ctl {
  struct Song: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play a song of the set list, by its name or its number.")

    @Argument(help: "The song.", completion: .runningSongs)
    var song: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.song(song)) }
  }

  struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play the next song of the set list.")
    @OptionGroup var rack: RackChoice
    func run() throws { try rack.perform(.next) }
  }

  struct Previous: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play the song of the set list before this one.")
    @OptionGroup var rack: RackChoice
    func run() throws { try rack.perform(.previous) }
  }

  struct Songs: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The songs of the set list.",
      discussion: """
        An arrow marks the one that plays, an exclamation mark one that was called for and could not be \
        played.
        """)

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      let listing = try Terminal.reporting { try client.ask("list", for: RackListing.self) }
      for song in listing.songs ?? [] {
        let mark = song == listing.song ? "-> " : song == listing.refusedSong ? " ! " : "   "
        Terminal.write("\(mark)\(song)\n")
      }
    }
  }
}
