import ArgumentParser
import Documents
import RackControl
import RackEngine
import RackSession
import RackStage
import UnitModel

/// The name under which ArgumentParser keeps an argument.
struct ArgumentKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// How ArgumentParser reads an argument of a declaration.
struct ArgumentReader {
  typealias Container = KeyedDecodingContainer<ArgumentKey>
  let key: ArgumentKey
  /// An `Argument`, `Option` or `Flag`.
  let definition: Any
  let words: (Container) throws -> [String]
}

extension CommandDeclaration.Argument {
  /// With a label, without, or both.
  var readers: [ArgumentReader] {
    let labelled = option.map(reader(label:))
    return labelled.map { isLabelOptional ? [positional, $0] : [$0] } ?? [positional]
  }

  private var argumentHelp: ArgumentHelp {
    let text = help.filter { $0 != "`" }
    return ArgumentHelp("\(text)", valueName: String(name.map { $0 == "_" ? "-" : $0 }))
  }

  private var positional: ArgumentReader {
    let key = ArgumentKey(stringValue: name)
    switch kind {
    case .value, .chain, .sources:
      // A value may begin like an option: -6 dB.
      return ArgumentReader(
        key: key,
        definition: Argument<[String]>(
          wrappedValue: [], parsing: kind == .value ? .allUnrecognized : .remaining,
          help: argumentHelp, completion: completion)
      ) { try $0.decode(Argument<[String]>.self, forKey: key).wrappedValue }
    case _ where isRequired:
      return ArgumentReader(
        key: key, definition: Argument<String>(help: argumentHelp, completion: completion)
      ) { [try $0.decode(Argument<String>.self, forKey: key).wrappedValue] }
    default:
      return ArgumentReader(
        key: key, definition: Argument<String?>(help: argumentHelp, completion: completion)
      ) { try $0.decode(Argument<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? [] }
    }
  }

  private func reader(label: String) -> ArgumentReader {
    let key = ArgumentKey(stringValue: "\(name) option")
    let label = NameSpecification.customLong(label)
    switch kind {
    case .flag:
      return ArgumentReader(
        key: key, definition: Flag(wrappedValue: false, name: label, help: argumentHelp)
      ) { try $0.decode(Flag<Bool>.self, forKey: key).wrappedValue ? ["true"] : [] }
    case .time:
      return ArgumentReader(
        key: key,
        definition: Option<[String]>(name: label, parsing: .upToNextOption, help: argumentHelp)
      ) { try $0.decode(Option<[String]>.self, forKey: key).wrappedValue }
    default:
      return ArgumentReader(
        key: key,
        definition: Option<String?>(
          name: label, parsing: .unconditional, help: argumentHelp, completion: completion)
      ) { try $0.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? [] }
    }
  }

  private var completion: CompletionKind? {
    switch kind {
    case .parameter: .parameters
    case .setting: .settings
    case .unit, .chain: .runningUnits
    case .component: .units
    case .scene: .runningScenes
    case .song: .runningSongs
    case .target: .targets
    case .mappedTarget: .mappedTargets
    case .sources, .midiTarget: .portsAndUnits
    case .rack: .racks
    case .path: .file()
    case .choice(let words): .list(words)
    case .text, .value, .time, .count, .flag: nil
    }
  }

  /// The argument's text, from the words of the command line; nil if there are none. Paths become
  /// absolute: the program that plays the rack has another folder.
  fileprivate func text(fromWords words: [String]) -> String? {
    guard let first = words.first else { return nil }
    switch kind {
    // “--” ends the options before a value.
    case .value: return words.drop { $0 == "--" }.joined(separator: " ")
    // A shell takes > for itself, so arrows may be left out.
    case .chain:
      return words.joined(separator: words.contains { $0.contains(">") } ? " " : " -> ")
    case .sources: return words.joined(separator: ",")
    case .path: return FilePlace.absolute(first)
    case .rack:
      return RackLoader.isThere(first) ? FilePlace.absolute(RackLoader.locate(first)) : first
    default: return words.joined(separator: " ")
    }
  }
}

extension CommandDeclaration {
  /// Arguments by name, from the words of the command line.
  func arguments(fromWords given: [String: [String]]) -> [String: String] {
    var given = given
    // “--over 2 s 30 %”: the words after the time belong to the value.
    if let time = arguments.first(where: { $0.kind == .time })?.name,
      let value = arguments.first(where: { $0.kind == .value })?.name, let words = given[time]
    {
      let isTime = words.count > 1 && Self.isTime(words[0...1].joined(separator: " "))
      given[time] = Array(words.prefix(isTime ? 2 : 1))
      given[value, default: []].insert(contentsOf: words.dropFirst(isTime ? 2 : 1), at: 0)
    }
    return Dictionary(
      uniqueKeysWithValues: arguments.compactMap { argument in
        argument.text(fromWords: given[argument.name] ?? []).map { (argument.name, $0) }
      })
  }

  private static func isTime(_ text: String) -> Bool {
    (try? Quantity.number(text, in: .seconds, name: "over")) != nil
  }
}
