import ArgumentParser

@main
struct Backline: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backline",
    abstract: "A modular effects rack for JACK.",
    discussion: """
      A rack file names effects and instruments and how they are cabled; Backline plays it as one \
      JACK client, or renders sound files through it.

      Try it:
        backline run tape-echo --server auto
        backline render dalek-voice --in mic=voice.wav --out main=dalek.flac
        backline play Distortion --preset "Alien Chatter" --server auto
      """,
    version: "0.1.0",
    subcommands: [
      Run.self, Play.self, Render.self, Ctl.self, Top.self, Check.self, Show.self, Units.self,
      TagCommand.self,
      New.self, PresetCommand.self, Schema.self, Validate.self, ReadUnitLibraries.self,
    ]
  )

  static func main() async {
    Terminal.checkOutputAtEnd()
    if let reason = wrongCommand(CommandLine.arguments.dropFirst()) {
      exit(withError: Terminal.refusal(reason))
    }
    // So a session manager starts it.
    let isAlone = CommandLine.arguments.count == 1 && ManagedProject.isWanted
    await main(isAlone ? ["run"] : nil)
  }

  /// Why one of the leading words is not a command; nil if all are.
  private static func wrongCommand(_ words: some Sequence<String>) -> String? {
    var command: any ParsableCommand.Type = Self.self
    for word in words {
      let configuration = command.configuration
      guard !configuration.subcommands.isEmpty, configuration.defaultSubcommand == nil,
        !word.hasPrefix("-"), word != "help"
      else { return nil }
      guard let next = configuration.subcommands.first(where: { $0._commandName == word }) else {
        let known = configuration.subcommands.map { $0._commandName }
        return command == Self.self
          ? WrongWord.asCommand(word, commands: known + ["help"])
          : WrongWord.asCommand(word, of: command._commandName, commands: known)
      }
      command = next
    }
    return nil
  }
}
