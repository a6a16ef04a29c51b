import ArgumentParser
import RackModel

extension Ctl {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a unit to the rack.")

    @Argument(help: "What the rack is to call it.")
    var name: String

    @Argument(help: "Which unit: aufx/dely/bkln, Delay, a bundle's path.", completion: .units)
    var unit: String

    @Option(help: "A preset to begin with.")
    var preset: String?

    @Option(help: "How many inputs, for units that allow more than they declare.")
    var inputs: Int?

    @Option(help: "A cable to put it into, as in \"gate -> echo\".")
    var into: String?

    @OptionGroup var rack: RackChoice

    func run() throws {
      try rack.perform(
        .edit(.add(name: name, unit: unit, preset: preset, inputs: inputs, into: into)))
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a unit; what came to it goes on to where it went.")

    @Argument(help: "The unit, as the rack calls it.", completion: .runningUnits)
    var unit: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.remove(name: unit))) }
  }

  struct Replace: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put another unit in a unit's place, under its name and with its cables.")

    @Argument(help: "The unit, as the rack calls it.", completion: .runningUnits)
    var name: String

    @Argument(help: "Which unit comes: aufx/dely/bkln, Delay.", completion: .units)
    var unit: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.replace(name: name, unit: unit))) }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Call a unit otherwise.")

    @Argument(help: "The unit, as the rack calls it.", completion: .runningUnits)
    var unit: String

    @Argument(help: "Its new name.")
    var name: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.rename(name: unit, to: name))) }
  }

  struct Connect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Connect a chain: \"gate -> echo -> mix.1\", or gate echo mix.1.")

    @Argument(help: "The chain, in one word or several.", completion: .runningUnits)
    var chain: [String]

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.connect(Ctl.chain(chain)))) }
  }

  struct Disconnect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take the cables of a chain away: \"gate -> echo\", or gate echo.")

    @Argument(help: "The chain, in one word or several.", completion: .runningUnits)
    var chain: [String]

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.disconnect(Ctl.chain(chain)))) }
  }

  /// A shell takes an arrow for something else, so it may be left out.
  private static func chain(_ words: [String]) -> String {
    words.contains { $0.contains(">") }
      ? words.joined(separator: " ") : words.joined(separator: " -> ")
  }
}
