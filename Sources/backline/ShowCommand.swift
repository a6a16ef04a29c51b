import ArgumentParser
import AudioUnits
import Documents
import RackModel
import UnitModel

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a unit's parameters, presets and busses, or a rack's graph.")

  @Argument(
    help: "A unit (aufx/dely/bkln, Delay), a rack file, or a rack that comes with Backline.")
  var subject: String

  @Flag(help: "For a rack: its graph in the language of Graphviz.")
  var dot = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    let catalogue = try units.catalogue()
    let found = UnitLookup.units(named: subject, in: catalogue.facts)
    if !found.isEmpty && !dot {
      for facts in found {
        let presets = PresetLibrary.standard.presets(of: facts).entries.map(\.preset.name)
        print(UnitDescription.text(facts, presets: presets))
      }
      return
    }
    if !RackLoader.isThere(subject) {
      let names = catalogue.facts.map(\.name) + RackLoader.shippedNames
      let advice = nearestWord(to: subject, in: names).map { "; did you mean \($0)?" } ?? ""
      Terminal.complain("error: there is no unit and no rack '\(subject)'\(advice)")
      throw ExitCode.wrongRack
    }
    let plan = try RackLoader.plan(subject, catalogue: catalogue)
    print(dot ? RackDrawing.dot(plan) : RackDrawing.text(plan, catalogue: catalogue.facts))
  }
}

/// Finds units as people name them.
enum UnitLookup {
  /// The one unit of that name; else says what there is.
  static func unit(named name: String, in catalogue: [UnitFacts]) throws -> UnitFacts {
    let found = units(named: name, in: catalogue)
    if let facts = found.first, found.count == 1 { return facts }
    let names = catalogue.map(\.name) + catalogue.map(\.component.description)
    let advice = nearestWord(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
    throw Terminal.refusal(
      found.isEmpty
        ? "there is no unit '\(name)'\(advice) (backline units lists them)"
        : "'\(name)' stands for several: \(found.map(\.name).joined(separator: ", "))")
  }

  /// By description, with wildcards, or by name, whatever the case.
  static func units(named name: String, in catalogue: [UnitFacts]) -> [UnitFacts] {
    if let description = ComponentDescription(name) {
      return catalogue.filter { description.matches($0.component) }
    }
    return catalogue.filter { $0.name.lowercased() == name.lowercased() }
  }
}
