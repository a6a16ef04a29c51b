import ArgumentParser
import Documents
import RackControl
import RackEngine
import RackModel
import RackSession
import UnitModel

/// A number as a type: ArgumentParser tells subcommands apart by their types.
protocol TableRow: Sendable { static var index: Int { get } }
enum FirstRow: TableRow { static let index = 0 }
enum NextRow<Row: TableRow>: TableRow { static var index: Int { Row.index + 1 } }

/// The subcommand of a row of the command table: arguments, help and completions come from there.
struct DeclaredCommand<Row: TableRow>: ParsableCommand, CustomReflectable {
  static var declaration: CommandDeclaration { DeclaredCommands.table[Row.index] }

  static var configuration: CommandConfiguration {
    let examples = declaration.examples.map { "  backline ctl \($0)" }
    return CommandConfiguration(
      commandName: declaration.word, abstract: declaration.summary,
      discussion: ([declaration.detail.filter { $0 != "`" }] + examples)
        .filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  private var rack = OptionGroup<RackChoice>()
  /// The words of each argument that was given.
  private var words: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ArgumentKey.self)
    for argument in Self.declaration.arguments {
      words[argument.name] = try argument.readers.flatMap { try $0.words(container) }
    }
    rack = try container.decode(
      OptionGroup<RackChoice>.self, forKey: ArgumentKey(stringValue: "rack"))
  }

  /// ArgumentParser finds the arguments of a command by reflection.
  var customMirror: Mirror {
    let readers = Self.declaration.arguments.flatMap(\.readers)
    let children = readers.map { (label: $0.key.stringValue as String?, value: $0.definition) }
    return Mirror(self, children: children + [(label: "rack", value: rack)])
  }

  func run() throws {
    let declaration = Self.declaration
    var arguments = declaration.arguments(fromWords: words)
    if declaration.word == "learn", arguments["to"] == nil, arguments["cancel"] == nil {
      throw Refusal("name the parameter that the control moves, or give --cancel")
    }
    // Of “a -> b” without quotes the shell leaves “a -”, and writes into a file b.
    for chain in declaration.arguments where chain.kind == .chain {
      guard let words = words[chain.name], ["-", "~"].contains(words.last) else { continue }
      throw Refusal(
        "the shell takes > for itself: write \(declaration.word) \"\(words.joined(separator: " "))> UNIT\""
          + " with quotes, or the names without arrows")
    }
    if declaration.word == "record", arguments["action"] == "start" {
      arguments["file"] =
        try arguments["file"]
        ?? FilePlace.absolute(Ctl.recordingName(try rack.wrappedValue.connect()))
    }
    // Wrong arguments are refused without a rack.
    _ = try declaration.request(arguments)
    let client = try rack.wrappedValue.connect()
    guard declaration.word == "learn", let target = arguments["to"] else {
      return print(try client.request(declaration.word, arguments))
    }
    try client.subscribe()
    Terminal.write("\(try client.request(declaration.word, arguments))\n")
    print(try Ctl.outcome(ofLearning: target, client, rack.wrappedValue))
  }
}

enum DeclaredCommands {
  /// The commands; `ctl` lays out the answers to questions itself.
  static let table = CommandDeclaration.all.filter { !$0.isQuestion }

  static var types: [any ParsableCommand.Type] { types(from: FirstRow.self) }

  private static func types<Row: TableRow>(from row: Row.Type) -> [any ParsableCommand.Type] {
    guard Row.index < table.count else { return [] }
    return [DeclaredCommand<Row>.self] + types(from: NextRow<Row>.self)
  }
}
