import Documents
import RackModel

/// The list of commands, and the functions that find and parse them.
package enum Commands {
  /// All commands, in the order of help and documentation.
  package static let all: [any Command.Type] = [
    SetParameter.self, SetParameters.self, RampParameter.self, ResetParameter.self,
    RecallScene.self, StoreScene.self, RenameScene.self, RemoveScene.self,
    LoadPreset.self, SavePreset.self, DeletePreset.self,
    AddUnit.self, RemoveUnit.self, ReplaceUnit.self, RenameUnit.self, Connect.self,
    Disconnect.self,
    LearnControl.self, MapControl.self, ForgetControls.self, Modulate.self, EndModulations.self,
    LoadAutomation.self, LoadRack.self, ReloadRack.self, SaveRack.self,
    PlaySong.self, PlayNextSong.self, PlayPreviousSong.self, PlayNextFile.self,
    PlayPreviousFile.self,
    Undo.self, Redo.self,
    MoveBox.self, SetTempo.self, TapTempo.self, Panic.self, SendMIDI.self, ExpressNote.self,
    RestartUnit.self,
    StartTransport.self, StopTransport.self, LocateTransport.self, Record.self, Automate.self,
    ReadParameter.self, ListRack.self, ListCatalogue.self, DrawRack.self, ReadLog.self,
    TouchParameter.self, ReleaseParameter.self, ReadStatus.self, ReadMetrics.self,
    Subscribe.self, WatchSignals.self, MessageUnit.self, Unsubscribe.self, BecomeGuest.self,
  ]

  private static let byWord = Dictionary(
    uniqueKeysWithValues: all.map { ($0.declaration.word, $0) })

  /// Returns the words of the commands for which `isMeant` returns true.
  package static func words(where isMeant: (CommandDeclaration) -> Bool = { _ in true }) -> [String]
  {
    all.map { $0.declaration }.filter(isMeant).map(\.word)
  }

  /// The commands that controls of a rack file can call.
  package static var targets: [CalledCommand.Form] { all.compactMap { $0.declaration.target } }

  /// Returns the command of a word.
  ///
  /// - Throws: `Refusal` with the nearest word if there is none.
  package static func named(_ word: String) throws(Refusal) -> any Command.Type {
    if let found = byWord[word] { return found }
    throw Refusal("there is no command “\(word)”", suggestion: nearestWord(to: word, in: words()))
  }

  /// Returns the command that a control calls.
  static func read(_ call: CalledCommand) throws -> any Command {
    try named(call.form.word).read(call.arguments)
  }

  /// Parses a command line: `ramp echo.mix 0 % --over 4s`. Names with spaces are in double quotes.
  ///
  /// - Throws: `Refusal` if the command is unknown, or an argument is missing, unknown or not of its kind.
  package static func read(line: String) throws -> any Command {
    let words = line.commandWords
    let command = try named(words.first ?? "")
    return try command.read(try command.arguments(fromWords: Array(words.dropFirst())))
  }
}

extension Command {
  package static var word: String { declaration.word }
  package static var argumentInfos: [ArgumentInfo] { arguments.map(\.info) }

  /// Returns the command with these arguments by name.
  ///
  /// - Throws: `Refusal` where an argument is missing, unknown or not of its kind.
  package static func read(_ texts: [String: String]) throws -> Self {
    let arguments = Self.arguments
    if let missing = arguments.first(where: { $0.info.isRequired && texts[$0.info.name] == nil }) {
      throw Refusal("“\(word)” needs “\(missing.info.name)”")
    }
    var command = Self()
    var readCount = 0
    for argument in arguments {
      guard let text = texts[argument.info.name] else { continue }
      try argument.info.check(text)
      try argument.read(text, &command)
      readCount += 1
    }
    if readCount < texts.count { throw unknownArgument(in: texts.keys.sorted()) }
    try command.validate()
    return command
  }

  private static func unknownArgument(in given: [String]) -> Refusal {
    let known = arguments.map(\.info.name)
    let unknown = given.first { !known.contains($0) } ?? ""
    let listed = known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"
    return Refusal(
      "“\(word)” has no argument “\(unknown)”; \(listed)",
      suggestion: nearestWord(to: unknown, in: known))
  }

  private static var orderedInfos: [ArgumentInfo] {
    argumentInfos.filter(\.isRequired) + argumentInfos.filter { !$0.isRequired }
  }

  /// Whether the argument at this index of an ordered list may be a number. A number elsewhere is the position of
  /// the button that sends the command.
  package static func takesNumber(at index: Int) -> Bool {
    orderedInfos.dropFirst(index).first.map { $0.kind != .path } ?? false
  }

  /// Returns the arguments by name, from a list in which the required arguments come first.
  ///
  /// - Throws: `Refusal` if there are too many arguments.
  package static func arguments(inOrder texts: [String]) throws(Refusal) -> [String: String] {
    let names = orderedInfos.map(\.name)
    guard texts.count <= names.count else {
      throw Refusal("“/\(word)” takes at most \(names.count) arguments, not \(texts.count)")
    }
    return Dictionary(uniqueKeysWithValues: zip(names, texts))
  }
}

extension Commands {
  /// The table in docs/reference/commands.md.
  package static var documentation: String {
    let rows = all.map { command in
      let names = [true, false].map { isRequired in
        command.argumentInfos.filter { $0.isRequired == isRequired }.map { "`\($0.name)`" }
          .joined(separator: ", ")
      }
      let text = [command.declaration.summary, command.declaration.detail].filter { !$0.isEmpty }
      return "| `\(command.word)` | \(names[0]) | \(names[1]) | \(text.joined(separator: " ")) |\n"
    }
    return "| command | arguments | optional | meaning |\n|---|---|---|---|\n" + rows.joined()
  }
}
