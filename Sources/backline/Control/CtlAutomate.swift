import ArgumentParser
import Documents
import RackModel

extension Ctl {
  struct Automate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record how parameters are moved along JACK's transport, and play it again.",
      discussion: """
        Whatever moves them, commands, MIDI or a page, is recorded while the transport rolls. What comes \
        of it is a file of lanes, as a rack file has them under “automation”: it is played by \
        “automate load”, and with --automation by “backline run” and “backline render”.
        """, subcommands: [Start.self, Stop.self, Load.self])

    struct Start: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Record moves from now on.")

      @Option(
        name: .customLong("out"), help: "The file, which must not be there yet.",
        completion: .file(extensions: ["yaml"]))
      var file: String

      @OptionGroup var rack: RackChoice

      func run() throws {
        try rack.request("automate", ["action": "start", "file": FilePlace.absolute(file)])
      }
    }

    struct Stop: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End the recording and write the file.")

      @Option(
        name: .customLong("out"), help: "Another file than that of the start, not there yet.",
        completion: .file(extensions: ["yaml"]))
      var file: String?

      @OptionGroup var rack: RackChoice

      func run() throws {
        var arguments = ["action": "stop"]
        if let file { arguments["file"] = FilePlace.absolute(file) }
        try rack.request("automate", arguments)
      }
    }

    struct Load: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Play the lanes of a file; it can be undone.")

      @Argument(help: "The file.", completion: .file(extensions: ["yaml"]))
      var file: String

      @OptionGroup var rack: RackChoice

      func run() throws { try rack.perform(.automation(file: FilePlace.absolute(file))) }
    }
  }
}
