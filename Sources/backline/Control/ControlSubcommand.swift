import ArgumentParser
import Documents
import RackControl
import RackEngine
import RackFiles
import RackSession

/// The subcommand of `ctl` that sends a command.
struct ControlSubcommand<C: Command>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: C.word, abstract: C.declaration.summary, usage: CommandHelp(C.self).usage,
      discussion: CommandHelp(C.self).discussion)
  }

  @OptionGroup var rack: RackChoice

  /// The words that the command itself parses, as some values begin like options: -6 dB.
  @Argument(
    parsing: .allUnrecognized, help: .hidden,
    completion: .custom { words, _, prefix in CommandCompletion(C.self, words).words(prefix) })
  var words: [String] = []

  func run() throws {
    try refuseCutChain()
    var arguments = try asUsage { try C.arguments(fromWords: words) }
    for info in C.argumentInfos { arguments[info.name] = arguments[info.name].map(info.absolute) }
    if C.word == "learn", arguments["to"] == nil, arguments["cancel"] == nil {
      throw Refusal("name the parameter that the control moves, or give --cancel")
    }
    // Wrong arguments are refused without a rack.
    _ = try asUsage { try C.read(arguments) }
    if C.word == "record", arguments["action"] != "stop", arguments["file"] == nil {
      arguments["file"] = FilePath.absolute(try Ctl.recordingName(try rack.connect()))
    }
    let client = try rack.connect()
    guard C.word == "learn", let target = arguments["to"] else {
      return print(try client.request(C.word, arguments))
    }
    try client.subscribe()
    Terminal.write("\(try client.request(C.word, arguments))\n")
    print(try Ctl.outcome(ofLearning: target, client, rack))
  }

  /// Calls `body`; throws a refusal as a usage error.
  private func asUsage<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let refusal as Refusal {
      throw Failure("\(refusal)", code: .usage)
    }
  }

  /// Refuses a chain without quotes: of “a -> b” the shell passes “a -” and redirects the output to a file b.
  private func refuseCutChain() throws(Refusal) {
    guard C.argumentInfos.contains(where: { $0.kind == .chain }), ["-", "~"].contains(words.last)
    else { return }
    throw Refusal(
      "the shell takes > for itself: write \(C.word) \"\(words.joined(separator: " "))> UNIT\""
        + " with quotes, or the names without arrows")
  }
}

extension Ctl {
  /// The subcommands that send commands; `ctl` lays out the answers to questions itself.
  static let commands = Commands.all.filter { $0.declaration.lane != .question }.map {
    subcommand($0)
  }

  private static func subcommand<C: Command>(_ command: C.Type) -> any ParsableCommand.Type {
    ControlSubcommand<C>.self
  }
}

extension ArgumentInfo {
  /// Makes a path absolute, as the program that plays the rack has another working directory.
  fileprivate func absolute(_ text: String) -> String {
    switch kind {
    case .path: FilePath.absolute(text)
    case .rack where RackLoader.isThere(text): FilePath.absolute(RackLoader.locate(text))
    default: text
    }
  }
}
