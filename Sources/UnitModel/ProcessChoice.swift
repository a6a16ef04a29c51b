import Documents

/// The process that renders a unit.
public enum ProcessChoice: Hashable, Sendable {
  /// The process that plays the rack: no context switch, but a crash of the unit ends it.
  case host
  /// A process for this unit alone.
  case own
  /// A process that all units of this group share.
  case group(String)

  /// The most units that one process can render.
  public static let maximumGroupSize = 64

  /// Parses the form of rack files: `host`, `own`, `group NAME`.
  public init(written text: String) throws(Refusal) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    switch (words.first, words.count) {
    case ("host", 1): self = .host
    case ("own", 1): self = .own
    case ("group", 1):
      throw Refusal("“group” takes the group's name behind it, as in group echoes")
    case ("group", _): self = .group(try Self.groupName(words.dropFirst()))
    default: throw Self.refusal(of: text, words)
    }
  }

  private static func groupName(_ words: ArraySlice<String>) throws(Refusal) -> String {
    func isName(_ text: String) -> Bool { text.allSatisfy(isNameCharacter) }
    let joined = words.joined(separator: "-")
    guard words.count == 1, isName(joined) else {
      throw Refusal(
        "“\(words.joined(separator: " "))” is not a name for a group; it has letters (a to z), digits, "
          + "- and _", suggestion: isName(joined) ? "group \(joined)" : nil)
    }
    return joined
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || "-_".contains(character)
  }

  private static func refusal(of text: String, _ words: [String]) -> Refusal {
    let group = ["group"] + words.dropFirst()
    let nearest = words.first.flatMap { nearestWord(to: $0, in: ["host", "own", "group"]) }
    let suggestion =
      nearest == "group"
      ? (group.count > 1 ? group : ["group", "NAME"]).joined(separator: " ")
      : nearest
    return Refusal(
      "“\(text)” is not a process; write own, host or group NAME",
      suggestion: suggestion)
  }
}

extension ProcessChoice: WrittenValue {
  public var description: String {
    switch self {
    case .host: "host"
    case .own: "own"
    case .group(let name): "group \(name)"
    }
  }
}
