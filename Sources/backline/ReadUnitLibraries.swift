import ArgumentParser
import AudioUnits

/// What the catalogue runs as a child process, so that a library that crashes when it is loaded ends
/// the child only.
struct ReadUnitLibraries: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: LibraryInspection.command, abstract: "Print the facts of unit libraries.",
    shouldDisplay: false)

  @Argument var paths: [String]

  func run() { LibraryInspection.run(paths) }
}
