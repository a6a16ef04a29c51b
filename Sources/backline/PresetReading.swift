import ArgumentParser
import AudioUnits
import Documents
import UnitModel

struct PresetList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the presets of a unit, or of all units.")

  @Argument(help: "A unit (aufx/dely/bkln, Delay); without one, all of them.", completion: .units)
  var unit: String?

  @Flag(help: "Print them as JSON.")
  var json = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    let catalogue = try units.catalogue()
    let chosen = try unit.map { [try UnitLookup.unit(named: $0, in: catalogue)] }
    var listings: [PresetListing] = []
    for facts in chosen ?? catalogue.facts {
      let presets = PresetLibrary.standard.presets(of: facts)
      for diagnostic in presets.diagnostics { Terminal.complain("\(diagnostic)") }
      if json {
        listings += presets.entries.map { PresetListing($0, facts) }
      } else if !presets.entries.isEmpty {
        print("\(facts.name)  \(facts.component)")
        for entry in presets.entries {
          print("  \("\(entry.preset.number)".padded(to: 4)) \(entry.preset.name)")
        }
      }
    }
    if json { try print(JSONText.of(listings)) }
  }
}

struct PresetShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what a preset sets, without loading it.")

  @OptionGroup var which: PresetChoice

  @Flag(help: "Print it as JSON.")
  var json = false

  func run() throws {
    let (facts, entry) = try which.entry()
    if json { return try print(JSONText.of(PresetListing(entry, facts))) }
    print(entry.state.written(for: facts), terminator: "")
  }
}

struct PresetExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a preset to a file, to give it away.")

  @OptionGroup var which: PresetChoice

  @Argument(help: "The file; - or nothing for standard output.", completion: .file())
  var file: String = "-"

  func run() throws {
    let (facts, entry) = try which.entry()
    var state = entry.state
    // A preset number is valid only in one user's collection.
    state.presetNumber = nil
    let text = state.written(for: facts)
    if file == "-" { return print(text, terminator: "") }
    try WholeFile.write(Array(text.utf8), to: file)
  }
}

/// The arguments that choose a preset of a unit.
struct PresetChoice: ParsableArguments {
  @Argument(help: "A unit: aufx/dely/bkln, or its name.", completion: .units)
  var unit: String

  @Argument(help: "The preset's name.", completion: .presets)
  var preset: String

  @OptionGroup var units: CatalogueOptions

  func facts() throws -> UnitFacts {
    try UnitLookup.unit(named: unit, in: try units.catalogue())
  }

  func entry() throws -> (UnitFacts, PresetLibrary.Entry) {
    let facts = try facts()
    return (facts, try PresetLibrary.standard.entry(named: preset, of: facts))
  }
}
