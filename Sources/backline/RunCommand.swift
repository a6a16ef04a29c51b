import ArgumentParser
import RackEngine
import RackModel

extension JackServerChoice: ExpressibleByArgument {}

/// Which JACK server to play through.
struct ServerOptions: ParsableArguments {
  @Option(
    help: """
      Which JACK server: join one that runs; auto: join, or else start one; alsa: start one on the \
      sound card; dummy: start one without sound.
      """)
  var server = JackServerChoice.join

  @Option(help: "The server's name, where it is not the default one.")
  var serverName: String?

  @Option(help: "ALSA's name of the sound card, for a server of our own.")
  var device: String?

  @Option(help: "Hz, for a server of our own.")
  var rate = 48_000

  @Option(help: "Frames a cycle, for a server of our own.")
  var period = 128

  var options: JackServer.Options {
    JackServer.Options(name: serverName, device: device, sampleRate: rate, period: period)
  }

  func validate() throws {
    guard (8000...192_000).contains(rate) else {
      throw ValidationError("--rate is 8000 to 192000 Hz")
    }
    guard (16...8192).contains(period), period & (period - 1) == 0 else {
      throw ValidationError("--period is a power of two from 16 to 8192")
    }
  }
}

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a rack through JACK.",
    discussion: """
      On a terminal it shows meters until Ctrl-C; into a pipe it prints a line when it is ready, and \
      one for each event. Send it USR1 and it reads the rack file again, without a click: a file that \
      is wrong is said to be, and what was playing goes on. Ctrl-C, TERM, QUIT and a terminal that \
      is closed fade it out and end it. It ends with 3 when the server does.
      """)

  @Argument(help: "A rack file, or the name of a rack that comes with Backline.")
  var rack: String

  @OptionGroup var server: ServerOptions
  @OptionGroup var units: CatalogueOptions

  func run() async throws {
    let catalogue = try units.catalogue()
    let plan = try RackLoader.plan(rack, catalogue: catalogue)
    try await Player(catalogue: catalogue, server: server.server, options: server.options).play(
      plan
    ) { [rack] in
      RackLoader.load(rack, catalogue: catalogue)
    }
  }
}
