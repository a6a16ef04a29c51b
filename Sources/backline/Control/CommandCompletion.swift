import Documents
import RackControl
import RackEngine
import RackSession

/// The completions behind `ctl COMMAND`.
struct CommandCompletion {
  private let arguments: [ArgumentInfo]
  /// The words of the command line, as far as it is typed.
  private let line: [String]
  private let word: String

  init(_ command: any Command.Type, _ line: [String]) {
    (arguments, word, self.line) = (command.argumentInfos, command.word, line)
  }

  func words(_ prefix: String) -> [String] {
    if prefix.hasPrefix("-") {
      return arguments.compactMap { $0.label.map { "--\($0)" } }.filter { !line.contains($0) }
    }
    return argument.map { words(for: $0.kind, prefix) } ?? []
  }

  /// The argument that the next word is for.
  private var argument: ArgumentInfo? {
    var plain = arguments.filter { $0.label == nil || $0.isLabelOptional }[...]
    // The words behind the command, without the word that is being typed.
    var words = line.drop { $0 != word }.dropFirst()
    if !words.isEmpty { words = words.dropLast() }
    while let word = words.popFirst() {
      if word == "--rack" {
        words = words.dropFirst()
      } else if let info = arguments.first(where: { $0.label.map { "--\($0)" } == word }) {
        if info.kind == .flag { continue }
        guard words.popFirst() != nil else { return info }
      } else if plain.first?.kind.takesSeveralWords != true {
        plain = plain.dropFirst()
      }
    }
    return plain.first
  }

  private func words(for kind: ArgumentInfo.Kind, _ prefix: String) -> [String] {
    switch kind {
    case .choice(let words): words
    case .component: RackWords.units
    case .rack: RackWords.racks(prefix)
    case .path: RackWords.files(prefix)
    case .text, .value, .time, .count, .flag: []
    default: RackWords.running(line).map { Self.words(for: kind, of: $0) } ?? []
    }
  }

  private static func words(for kind: ArgumentInfo.Kind, of rack: RackListing) -> [String] {
    let parameters = rack.parameters.map(\.parameter)
    return switch kind {
    case .parameter: parameters
    // echo.mix, and sampler.file
    case .setting: parameters + rack.units.flatMap { $0.properties.map(\.property) }
    case .unit, .chain: rack.units.map(\.name)
    case .scene: rack.scenes
    case .song: rack.songs ?? []
    case .target: parameters + rack.scenes.map { "scene \($0)" }
    case .mappedTarget: rack.controls.map(\.to)
    case .midiTarget:
      rack.inputs.filter { $0.channels == 0 }.map(\.name) + rack.units.map(\.name)
    // Ports and units that have sound.
    case .sources:
      (rack.inputs + rack.outputs).filter { $0.channels > 0 }.map(\.name) + rack.units.map(\.name)
    default: []
    }
  }
}
