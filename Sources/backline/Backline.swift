import ArgumentParser
import Glibc
import RackStage

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
      Run.self, Page.self, Play.self, Render.self, Ctl.self, Top.self, Check.self, Show.self,
      Units.self,
      TagCommand.self,
      New.self, PresetCommand.self, Schema.self, Validate.self, ExportLV2.self,
      ReadUnitLibraries.self,
    ]
  )

  static func main() async {
    Terminal.checkOutputAtEnd()
    var words = ForeignNames.words[...]
    // A session manager starts the program without arguments.
    if words.isEmpty, ManagedProject.isWanted { words = ["run"] }
    var command: any ParsableCommand
    do { command = try parse(words) } catch { end(with: error) }
    do {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: Terminal.report(error))
    }
  }

  /// Ends the process as ArgumentParser does, but writes “error:” in lower case like all other messages.
  private static func end(with error: any Error) -> Never {
    let (text, mark) = (fullMessage(for: error), "Error: ")
    guard text.hasPrefix(mark) else { exit(withError: error) }
    Terminal.complain("error: \(text.dropFirst(mark.count))")
    Glibc.exit(exitCode(for: error).rawValue)
  }

  /// Returns the command that the words name, with its arguments.
  private static func parse(_ words: ArraySlice<String>) throws -> any ParsableCommand {
    var command: any ParsableCommand.Type = Self.self
    var arguments = words
    while let word = arguments.first, !word.hasPrefix("-"), word != "help",
      command.configuration.defaultSubcommand == nil, !command.configuration.subcommands.isEmpty
    {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        let known = subcommands.map { $0._commandName }
        let reason =
          command == Self.self
          ? WrongWord.asCommand(word, commands: known + ["help"])
          : WrongWord.asCommand(word, of: command._commandName, commands: known)
        throw Terminal.report(Failure(reason, code: .usage))
      }
      command = next
      arguments = arguments.dropFirst()
    }
    // Parsed alone, a command is ready in a third of the time. Help and errors come from the parser
    // of all commands.
    if command.configuration.subcommands.isEmpty,
      let parsed = try? command.parseAsRoot(Array(arguments)), type(of: parsed) == command
    {
      return parsed
    }
    return try parseAsRoot(Array(words))
  }
}
