import Documents
import RackModel

/// A command as every transport knows it.
///
/// Reading it from JSON, from OSC and from the command line, its help, its completions and its row in
/// docs/reference/commands.md all come from this declaration.
public struct CommandDeclaration: Sendable {
  public var word: String
  /// One sentence.
  public var summary: String
  /// More for help and documentation: sentences.
  public var detail: String
  public var arguments: [Argument]
  /// Command lines without `backline ctl`.
  public var examples: [String]
  /// Whether the answer is more than a sentence, so that a client lays it out.
  public var isQuestion: Bool
  let makeRequest: @Sendable (CommandArguments) throws -> Request

  init(
    _ word: String, _ summary: String, _ arguments: [Argument] = [], detail: String = "",
    examples: [String] = [], isQuestion: Bool = false,
    _ makeRequest: @escaping @Sendable (CommandArguments) throws -> Request
  ) {
    (self.word, self.summary, self.detail, self.arguments) = (word, summary, detail, arguments)
    (self.examples, self.isQuestion, self.makeRequest) = (examples, isQuestion, makeRequest)
  }

  public struct Argument: Sendable {
    public var name: String
    public var kind: Kind
    public var isRequired: Bool
    public var help: String
    /// The option that gives it on the command line; nil for an argument without a label.
    public var option: String?
    /// Whether the command line also takes it without its label.
    public var isLabelOptional = false

    static func required(_ name: String, _ kind: Kind, _ help: String) -> Argument {
      Argument(name: name, kind: kind, isRequired: true, help: help)
    }

    static func optional(_ name: String, _ kind: Kind, _ help: String) -> Argument {
      Argument(name: name, kind: kind, isRequired: false, help: help)
    }

    /// `label`: the option on the command line, if its name differs there.
    static func option(_ name: String, _ kind: Kind, _ help: String, label: String? = nil)
      -> Argument
    {
      let label = label ?? String(name.map { $0 == "_" ? "-" : $0 })
      return Argument(name: name, kind: kind, isRequired: false, help: help, option: label)
    }
  }

  /// What an argument names, for checks and completions.
  public enum Kind: Sendable, Equatable {
    case text
    /// A value of several words: `30 %`, `-6 dB`.
    case value
    /// A time of one or two words: `2s`, `500 ms`.
    case time
    /// `gate -> echo`; on the command line in one word or several.
    case chain
    case parameter, unit, component, scene, song
    /// A parameter, or a text or a path of a unit.
    case setting
    /// What a control can move: a parameter, a bypass, a scene.
    case target
    /// A MIDI input of the rack, or a unit.
    case midiTarget
    /// What a control moves at present.
    case mappedTarget
    /// Inputs, outputs and units that sound comes from, with commas between.
    case sources
    /// A path from the root.
    case path
    /// The path of a rack file from the root, or the name of a rack that comes with Backline.
    case rack
    /// A whole number.
    case count
    /// True or false.
    case flag
    case choice([String])
  }

  /// The declaration of a word.
  ///
  /// - Throws: `Refusal` with the nearest word where there is none.
  public static func named(_ word: String) throws(Refusal) -> CommandDeclaration {
    if let found = all.first(where: { $0.word == word }) { return found }
    throw Refusal(
      "there is no command “\(word)”", suggestion: nearestWord(to: word, in: all.map(\.word)))
  }

  /// The request that these arguments make.
  ///
  /// - Throws: `Refusal` where an argument is missing, unknown or not of its kind.
  public func request(_ texts: [String: String]) throws -> Request {
    if let missing = arguments.first(where: { $0.isRequired && texts[$0.name] == nil }) {
      throw Refusal("“\(word)” needs “\(missing.name)”")
    }
    let known = arguments.map(\.name)
    if let unknown = texts.keys.sorted().first(where: { !known.contains($0) }) {
      let listed = known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"
      throw Refusal(
        "“\(word)” has no argument “\(unknown)”; \(listed)",
        suggestion: nearestWord(to: unknown, in: known))
    }
    for argument in arguments { try texts[argument.name].map(argument.check) }
    return try makeRequest(CommandArguments(texts: texts))
  }

  private var orderedArguments: [Argument] {
    arguments.filter(\.isRequired) + arguments.filter { !$0.isRequired }
  }

  /// Whether a number may be one of the arguments, in this place of a list; where it may not, it is how a
  /// button stands that calls the command.
  func takesNumber(at place: Int) -> Bool {
    orderedArguments.dropFirst(place).first.map { $0.kind != .path } ?? false
  }

  /// Arguments by name, from a list in which the required arguments come first.
  func arguments(inOrder texts: [String]) throws(Refusal) -> [String: String] {
    let names = orderedArguments.map(\.name)
    guard texts.count <= names.count else {
      throw Refusal("“/\(word)” takes at most \(names.count) arguments, not \(texts.count)")
    }
    return Dictionary(uniqueKeysWithValues: zip(names, texts))
  }
}

extension CommandDeclaration {
  /// The table in docs/reference/commands.md.
  static var documentation: String {
    let rows = all.map { declaration in
      let names = [true, false].map { isRequired in
        declaration.arguments.filter { $0.isRequired == isRequired }.map { "`\($0.name)`" }
          .joined(separator: ", ")
      }
      let text = [declaration.summary, declaration.detail].filter { !$0.isEmpty }
      return
        "| `\(declaration.word)` | \(names[0]) | \(names[1]) | \(text.joined(separator: " ")) |\n"
    }
    return "| command | arguments | optional | meaning |\n|---|---|---|---|\n" + rows.joined()
  }
}

extension CommandDeclaration.Argument {
  /// - Throws: `Refusal` where the text is not of the argument's kind.
  fileprivate func check(_ text: String) throws {
    switch kind {
    case .path: _ = try FilePlace.fromRoot(text, called: name)
    case .count where Int(text) == nil:
      throw Refusal("“\(name)” must be a whole number, not “\(text)”")
    case .flag where CommandArguments.switches[text] == nil:
      throw Refusal("“\(name)” must be true or false, not “\(text)”")
    case .choice(let known) where !known.contains(text):
      throw Refusal(
        "“\(name)” must be \(known.joined(separator: " or ")), not “\(text)”",
        suggestion: nearestWord(to: text, in: known))
    default: break
    }
  }
}

/// Arguments that have been checked against their declarations.
struct CommandArguments {
  fileprivate let texts: [String: String]

  fileprivate static let switches = [
    "true": true, "on": true, "yes": true, "1": true, "false": false, "off": false, "no": false,
    "0": false,
  ]

  /// Of a required argument.
  subscript(name: String) -> String { texts[name] ?? "" }

  func text(_ name: String) -> String? { texts[name] }
  func count(_ name: String) -> Int? { texts[name].flatMap { Int($0) } }
  func flag(_ name: String) -> Bool? { texts[name].flatMap { Self.switches[$0] } }
  var names: [String] { texts.keys.sorted() }
}
