import Documents
import UnitModel

extension Command {
  /// Returns the arguments of a command line by name. A value follows its label; words without a label are assigned
  /// in order.
  ///
  /// - Throws: `Refusal` for an unknown label, a label without a value, or too many words.
  package static func arguments(fromWords words: [String]) throws(Refusal) -> [String: String] {
    var rest = words[...]
    var given: [String: [String]] = [:]
    var plain: [String] = []
    let lastTakesAll = argumentInfos.contains { $0.label == nil && $0.kind.takesSeveralWords }
    while let word = rest.popFirst() {
      // “--” ends the options before a value.
      if word == "--" {
        plain += rest
        break
      }
      guard word.hasPrefix("--") else {
        // A value may begin like an option: -6 dB.
        if word.hasPrefix("-"), !lastTakesAll { _ = try labelled(word) }
        plain.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let info = try labelled(String(parts[0]))
      if info.kind == .flag {
        given[info.name] = [parts.count > 1 ? String(parts[1]) : "true"]
        continue
      }
      guard var value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw Refusal("“\(word)” needs a value")
      }
      if info.kind == .time, let next = rest.first, isTime("\(value) \(next)") {
        value += " \(next)"
        rest = rest.dropFirst()
      }
      given[info.name] = [value]
    }
    try place(plain, in: &given)
    return given.reduce(into: [:]) { texts, entry in
      let kind = argumentInfos.first { $0.name == entry.key }?.kind
      texts[entry.key] = kind?.text(of: entry.value)
    }
  }

  private static func labelled(_ word: String) throws(Refusal) -> ArgumentInfo {
    let labels = argumentInfos.compactMap { $0.label.map { "--\($0)" } }
    if let info = argumentInfos.first(where: { $0.label.map { "--\($0)" } == word }) { return info }
    throw Refusal(
      "“\(Self.word)” has no option “\(word)”", suggestion: nearestWord(to: word, in: labels))
  }

  /// Assigns words to the arguments without a label, of which the last may have several words.
  private static func place(
    _ words: [String], in given: inout [String: [String]]
  ) throws(Refusal) {
    var rest = words[...]
    for info in argumentInfos where info.label == nil || info.isLabelOptional {
      guard given[info.name] == nil, let word = rest.first else { continue }
      given[info.name] = info.kind.takesSeveralWords ? Array(rest) : [word]
      rest = info.kind.takesSeveralWords ? [] : rest.dropFirst()
    }
    if let spare = rest.first { throw Refusal("“\(word)” does not take “\(spare)” any more") }
  }

  private static func isTime(_ text: String) -> Bool {
    (try? Quantity.number(text, in: .seconds, name: "over")) != nil
  }
}

extension ArgumentInfo.Kind {
  package var takesSeveralWords: Bool {
    switch self {
    case .value, .chain, .sources: true
    default: false
    }
  }

  fileprivate func text(of words: [String]) -> String {
    switch self {
    // A shell interprets >, so arrows may be left out.
    case .chain: words.joined(separator: words.contains { $0.contains(">") } ? " " : " -> ")
    case .sources: words.joined(separator: ",")
    default: words.joined(separator: " ")
    }
  }
}

extension String {
  /// The words between spaces. Text in double quotes belongs to one word.
  var commandWords: [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in self {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
