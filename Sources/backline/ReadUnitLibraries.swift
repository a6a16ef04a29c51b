import ArgumentParser
import AudioUnits

/// The command that the catalogue runs as a child process: a library that crashes when it is loaded
/// ends only the child.
struct ReadUnitLibraries: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: LibraryInspection.command, abstract: "Print the facts of unit libraries.",
    shouldDisplay: false)

  @Argument var paths: [String]

  func run() { LibraryInspection.run(paths) }
}
