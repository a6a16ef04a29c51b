import AudioUnits
import Documents
import RackFiles
import RackModel
import UnitModel

/// Messages for a misplaced or misspelled word of the command line, with the most similar known word.
enum WrongWord {
  /// Returns the reason why `word` is not a command.
  static func asCommand(_ word: String, commands: [String]) -> String {
    if word.hasSuffix(".yaml") || RackLoader.shippedNames.contains(word) {
      return "“\(word)” is a rack, not a command; play it with: backline run \(word)"
    }
    if let unit = ComponentCatalogue(folders: .standard).knownFacts(named: word) {
      return "“\(word)” is a unit, not a command; play it with: backline play \(unit.component)"
    }
    return "there is no command “\(word)”; \(advice(word, commands))"
  }

  /// Returns the reason why `word` is not a subcommand of `command`.
  static func asCommand(_ word: String, of command: String, commands: [String]) -> String {
    "“\(command)” has no command “\(word)”; \(advice(word, commands))"
  }

  private static func advice(_ word: String, _ commands: [String]) -> String {
    nearestWord(to: word, in: commands).map { "did you mean “\($0)”?" }
      ?? "there are \(commands.joined(separator: ", "))"
  }

  /// Returns the reason why these words after `backline render` do not name one rack.
  static func asRack(_ words: [String]) -> String {
    let catalogue = ComponentCatalogue(folders: .standard)
    let usual = "name one rack; or one unit, with --unit"
    guard let word = words.first else { return usual }
    if let unit = catalogue.knownFacts(named: word) {
      return "“\(word)” is a unit; write: backline render --unit \(unit.component) IN OUT"
    }
    guard RackLoader.isThere(word),
      let plan = RackLoader.load(word, catalogue: catalogue, mayMiss: true).rack?.plan
    else { return usual }
    let inputs = plan.inputs.map { " --in \($0.name)=FILE" }
    let outputs = plan.outputs.map { " --out \($0.name)=FILE" }
    return "a rack's files have its ports' names; write: backline render \(word)"
      + (inputs + outputs).joined()
  }

  /// Returns the reason why `word` is neither a unit nor one of `racks`.
  static func asUnit(
    _ word: String, catalogue: ComponentCatalogue, racks: [String] = []
  ) -> String {
    if WholeFile.isThere(RackLoader.locate(word)) {
      return "“\(word)” is a rack, not a unit; play it with: backline run \(word)"
    }
    let known = catalogue.knownFacts.flatMap { [$0.name, "\($0.component)"] } + racks
    if ComponentTag.uses.contains(where: { ComponentTag.areAlike($0, word) }) {
      return "“\(word)” is a use, not a unit; its units: backline units --tag \(word)"
    }
    let kind = racks.isEmpty ? "unit" : "unit and no rack"
    return "there is no \(kind) “\(word)” (backline units lists them)"
      + backline.advice(nearestWord(to: word, in: known))
  }
}
