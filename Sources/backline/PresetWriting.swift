import ArgumentParser
import AudioUnits
import Documents
import RackStage
import UnitModel

struct PresetSave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save values as a preset of your own.",
    discussion: """
      The values are those of a unit in a rack (--rack), of another preset (--from), or the unit's \
      defaults, and on top of them what --set names:
        backline preset save Delay "Long hall" --from Slapback --set time=900ms
        backline preset save echo "Tonight" --rack tape-echo
      """)

  @Argument(
    help: "A unit: aufx/dely/bkln, or its name; with --rack, its name in the rack.",
    completion: .units)
  var unit: String

  @Argument(help: "The preset's name.")
  var name: String

  @Option(help: "A preset to start from.")
  var from: String?

  @Option(help: "A rack file whose unit has the values.", completion: .file(extensions: ["yaml"]))
  var rack: String?

  @Option(name: .customLong("set"), help: "A parameter, as in --set cutoff='1.2 kHz'.")
  var settings: [String] = []

  @Flag(help: "Replace your preset of that name.")
  var replace = false

  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    if from != nil && rack != nil {
      throw ValidationError("give --from or --rack, not both")
    }
    for setting in settings where !setting.dropFirst().contains("=") {
      throw ValidationError("--set '\(setting)': write a parameter as NAME=VALUE")
    }
  }

  func run() throws {
    let catalogue = try units.catalogue()
    var (facts, state) = try beginning(catalogue)
    for setting in settings { try apply(setting, to: &state, facts) }
    try Terminal.reporting {
      try PresetLibrary.standard.save(state, as: name, of: facts, replacing: replace)
    }
  }

  private func beginning(_ catalogue: ComponentCatalogue) throws -> (UnitFacts, UnitState) {
    if let rack {
      let plan = try RackLoader.plan(rack, catalogue: catalogue)
      let names = plan.units.map(\.name)
      guard let planned = plan.units.first(where: { $0.name == unit }),
        let facts = try? catalogue.facts(for: planned.reference).first
      else {
        let advice = nearestWord(to: unit, in: names).map { "; did you mean \($0)?" } ?? ""
        throw Terminal.refusal("rack \(plan.name) has no unit '\(unit)'\(advice)")
      }
      let values = planned.parameters.map { ($0.address, $0.value) }
      var state = UnitState(facts, values: Dictionary(values) { $1 })
      for property in planned.properties {
        state.properties[facts.properties[property.index].identifier] = property.value
      }
      return (facts, state)
    }
    let facts = try UnitLookup.unit(named: unit, in: catalogue)
    guard let from else { return (facts, UnitState(facts, values: [:])) }
    return try Terminal.reporting {
      (facts, try PresetLibrary.standard.entry(named: from, of: facts).state)
    }
  }

  private func apply(_ setting: String, to state: inout UnitState, _ facts: UnitFacts) throws {
    let sides = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let keyPath = String(sides[0])
    guard
      let parameter = facts.parameter(
        atKeyPath: keyPath, inputBusCount: facts.maximumInputBusCount)
    else {
      let known = facts.allParameters().map(\.keyPath)
      let advice = nearestWord(to: keyPath, in: known).map { "; did you mean \($0)?" } ?? ""
      throw Terminal.refusal("\(facts.name) has no parameter '\(keyPath)'\(advice)")
    }
    guard parameter.info.flags.contains(.writable) else {
      throw Terminal.refusal("'\(keyPath)' can be read, but not set")
    }
    do {
      state.parameters[parameter.keyPath] = try Quantity.parse(
        String(sides[1]), for: parameter.info, name: keyPath)
    } catch {
      let advice = error.suggestion.map { "; did you mean \($0)?" } ?? ""
      throw Terminal.refusal(error.description + advice)
    }
  }
}

struct PresetDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a preset of your own.")

  @OptionGroup var which: PresetChoice

  func run() throws {
    let facts = try UnitLookup.unit(named: which.unit, in: try which.units.catalogue())
    try Terminal.reporting { try PresetLibrary.standard.delete(which.preset, of: facts) }
  }
}

struct PresetRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a preset of your own another name.")

  @OptionGroup var which: PresetChoice

  @Argument(help: "The new name.")
  var newName: String

  func run() throws {
    let facts = try UnitLookup.unit(named: which.unit, in: try which.units.catalogue())
    try Terminal.reporting {
      try PresetLibrary.standard.rename(which.preset, to: newName, of: facts)
    }
  }
}

struct PresetImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a preset file into your own presets.")

  @Argument(help: "The file, as export writes it.", completion: .file(extensions: ["yaml"]))
  var file: String

  @Option(help: "A name in place of the one in the file.")
  var name: String?

  @Flag(help: "Replace your preset of that name.")
  var replace = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    let catalogue = try units.catalogue()
    let bytes = try Terminal.reporting {
      try WholeFile.read(file, limit: UnitState.maximumFileSize)
    }
    let (state, diagnostics) = UnitState.read(bytes, file: file) { component in
      catalogue.components(matching: component).first?.facts
    }
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    guard let state else { throw ExitCode.wrongRack }
    let facts = try UnitLookup.unit(named: "\(state.component)", in: catalogue)
    guard let name = name ?? state.presetName else {
      throw Terminal.refusal("\(file) gives the preset no name; give one with --name")
    }
    try Terminal.reporting {
      try PresetLibrary.standard.save(state, as: name, of: facts, replacing: replace)
    }
  }
}
