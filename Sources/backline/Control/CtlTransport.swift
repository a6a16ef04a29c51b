import ArgumentParser
import RackModel

extension Ctl {
  struct Tempo: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the tempo of what follows it, such as a delay's sync, or print it.")

    @Argument(help: "Beats per minute: 120, 97.5 bpm.")
    var tempo: [String] = []

    @OptionGroup var rack: RackChoice

    func run() throws {
      try rack.request(
        "tempo", tempo.isEmpty ? [:] : ["value": tempo.joined(separator: " ")])
    }
  }

  struct Tap: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tap the tempo: from the second tap on it is set.")

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("tap") }
  }

  struct Panic: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End all notes: in every unit that receives MIDI, and at the MIDI outputs.")

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("panic") }
  }

  struct PlayTransport: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "play", abstract: "Start JACK's transport.")

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("play") }
  }

  struct StopTransport: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop JACK's transport.")

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("stop") }
  }

  struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move JACK's transport to a time.")

    @Argument(help: "From the beginning: 0, 12.5 s, 1:30.")
    var time: [String]

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("locate", ["to": time.joined(separator: " ")]) }
  }
}

extension RackChoice {
  /// Has something done that is no command, and prints what was done.
  func request(_ word: String, _ arguments: [String: String] = [:]) throws {
    let client = try connect()
    print(try Terminal.reporting { try client.request(word, arguments) })
  }
}
