import Documents

/// A word that begins a command, and the arguments that go with it.
public struct CommandWord: Sendable {
  public var word: String
  public var required: [String]
  public var optional: [String]

  public init(_ word: String, _ required: [String] = [], optional: [String] = []) {
    (self.word, self.required, self.optional) = (word, required, optional)
  }

  /// Those of `Command`.
  public static let commands = [
    CommandWord("set", ["parameter", "value"]),
    CommandWord("ramp", ["parameter", "value", "over"]),
    CommandWord("reset", ["parameter"]),
    CommandWord("scene", ["name"]),
    CommandWord("preset", ["name", "preset"]),
    CommandWord("add", ["name", "unit"], optional: ["preset", "inputs", "into"]),
    CommandWord("remove", ["name"]),
    CommandWord("replace", ["name", "unit"]),
    CommandWord("rename", ["name", "to"]),
    CommandWord("connect", ["chain"]),
    CommandWord("disconnect", ["chain"]),
    CommandWord("learn", optional: ["to"] + ControlSettings.optionalWords),
    CommandWord("map", ["from", "to"], optional: ControlSettings.optionalWords),
    CommandWord("forget", ["to"]),
    CommandWord("load", ["rack"]),
    CommandWord("reload"),
    CommandWord("song", ["name"]),
    CommandWord("next"),
    CommandWord("previous"),
    CommandWord("automation", ["file"]),
    CommandWord("undo"),
    CommandWord("redo"),
    CommandWord("save", optional: ["path", "force", "connections"]),
  ]

  /// - Throws: `Refusal` where an argument is missing or strange to the word.
  public func check(_ arguments: [String: String]) throws(Refusal) {
    if let missing = required.first(where: { arguments[$0] == nil }) {
      throw Refusal("“\(word)” wants “\(missing)”")
    }
    let known = required + optional
    if let strange = arguments.keys.sorted().first(where: { !known.contains($0) }) {
      let listed = known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"
      throw Refusal(
        "“\(word)” has no argument “\(strange)”; \(listed)",
        suggestion: nearestWord(to: strange, in: known))
    }
  }
}

extension Command {
  /// A command out of its word and arguments, as they stand in a request.
  ///
  /// - Throws: `Refusal` where there is no such command, or its arguments are not right.
  public init(_ word: String, _ arguments: [String: String]) throws(Refusal) {
    guard let known = CommandWord.commands.first(where: { $0.word == word }) else {
      throw Refusal(
        "there is no command “\(word)”",
        suggestion: nearestWord(to: word, in: CommandWord.commands.map(\.word)))
    }
    try known.check(arguments)
    func argument(_ name: String) -> String { arguments[name] ?? "" }
    switch word {
    case "set": self = .set(parameter: argument("parameter"), value: argument("value"))
    case "ramp":
      self = .ramp(
        parameter: argument("parameter"), value: argument("value"), over: argument("over"))
    case "reset": self = .reset(parameter: argument("parameter"))
    case "scene": self = .scene(argument("name"))
    case "preset":
      self = .edit(.loadPreset(name: argument("name"), preset: argument("preset")))
    case "add":
      self = .edit(
        .add(
          name: argument("name"), unit: argument("unit"), preset: arguments["preset"],
          inputs: try Self.count(arguments["inputs"]), into: arguments["into"]))
    case "remove": self = .edit(.remove(name: argument("name")))
    case "replace": self = .edit(.replace(name: argument("name"), unit: argument("unit")))
    case "rename": self = .edit(.rename(name: argument("name"), to: argument("to")))
    case "connect": self = .edit(.connect(argument("chain")))
    case "disconnect": self = .edit(.disconnect(argument("chain")))
    case "learn": self = try Self.learning(arguments)
    case "map":
      self = .edit(.map(from: argument("from"), try ControlSettings(arguments)))
    case "forget": self = .edit(.forget(to: argument("to")))
    case "load": self = .load(rack: argument("rack"))
    case "reload": self = .reload
    case "song": self = .song(argument("name"))
    case "next": self = .next
    case "previous": self = .previous
    case "automation":
      self = .automation(file: try FilePlace.fromRoot(argument("file"), called: "file"))
    case "undo": self = .undo
    case "redo": self = .redo
    default:
      self = .save(
        SaveRequest(
          path: try arguments["path"].map { (path) throws(Refusal) in
            try FilePlace.fromRoot(path, called: "path")
          }, isForced: try Self.isOn("force", arguments["force"]),
          keepsConnections: try Self.isOn("connections", arguments["connections"])))
    }
  }

  private static func learning(_ arguments: [String: String]) throws(Refusal) -> Command {
    if arguments["to"] != nil { return .learn(try ControlSettings(arguments)) }
    if let spare = arguments.keys.sorted().first {
      throw Refusal("“learn” without “to” ends the learning, so “\(spare)” says nothing")
    }
    return .learn(nil)
  }

  private static func isOn(_ name: String, _ text: String?) throws(Refusal) -> Bool {
    guard let text, text != "false" else { return false }
    guard text == "true" else { throw Refusal("“\(name)” wants true or false") }
    return true
  }

  private static func count(_ text: String?) throws(Refusal) -> Int? {
    guard let text else { return nil }
    guard let count = Int(text) else { throw Refusal("“inputs” wants a whole number") }
    return count
  }

  /// What `init(_:_:)` reads back.
  public var words: (word: String, arguments: [String: String]) {
    switch self {
    case .set(let parameter, let value): ("set", ["parameter": parameter, "value": value])
    case .ramp(let parameter, let value, let over):
      ("ramp", ["parameter": parameter, "value": value, "over": over])
    case .reset(let parameter): ("reset", ["parameter": parameter])
    case .scene(let name): ("scene", ["name": name])
    case .edit(.loadPreset(let name, let preset)): ("preset", ["name": name, "preset": preset])
    case .edit(.add(let name, let unit, let preset, let inputs, let cable)):
      (
        "add",
        ["name": name, "unit": unit].merging(
          [("preset", preset), ("inputs", inputs.map(String.init)), ("into", cable)]
            .compactMap { name, value in value.map { (name, $0) } }
        ) { $1 }
      )
    case .edit(.remove(let name)): ("remove", ["name": name])
    case .edit(.replace(let name, let unit)): ("replace", ["name": name, "unit": unit])
    case .edit(.rename(let name, let to)): ("rename", ["name": name, "to": to])
    case .edit(.connect(let chain)): ("connect", ["chain": chain])
    case .edit(.disconnect(let chain)): ("disconnect", ["chain": chain])
    case .edit(.map(let source, let settings)):
      ("map", settings.arguments.merging(["from": source]) { $1 })
    case .edit(.forget(let target)): ("forget", ["to": target])
    case .learn(let settings): ("learn", settings?.arguments ?? [:])
    case .load(let rack): ("load", ["rack": rack])
    case .reload: ("reload", [:])
    case .song(let name): ("song", ["name": name])
    case .next: ("next", [:])
    case .previous: ("previous", [:])
    case .automation(let file): ("automation", ["file": file])
    case .undo: ("undo", [:])
    case .redo: ("redo", [:])
    case .save(let request):
      (
        "save",
        (request.path.map { ["path": $0] } ?? [:]).merging(
          (request.isForced ? ["force": "true"] : [:])
            .merging(request.keepsConnections ? ["connections": "true"] : [:]) { $1 }
        ) { $1 }
      )
    }
  }
}
