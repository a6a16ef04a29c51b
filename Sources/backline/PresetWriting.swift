import ArgumentParser
import AudioUnits
import Documents
import RackFiles
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

  @OptionGroup var settings: SettingOptions

  @Flag(help: "Replace your preset of that name.")
  var replace = false

  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    if from != nil && rack != nil {
      throw ValidationError("give --from or --rack, not both")
    }
  }

  func run() throws {
    let catalogue = try units.catalogue()
    var (facts, state) = try beginning(catalogue)
    for (keyPath, value) in settings.pairs { try apply(keyPath, value, to: &state, facts) }
    try PresetLibrary.standard.save(state, as: name, of: facts, replacing: replace)
  }

  private func beginning(_ catalogue: ComponentCatalogue) throws -> (UnitFacts, UnitState) {
    if let rack {
      let plan = try RackLoader.plan(rack, catalogue: catalogue)
      guard let planned = plan.units.first(where: { $0.name == unit }) else {
        throw Failure(
          "rack \(plan.name) has no unit “\(unit)”", code: .usage, nearestTo: unit,
          in: plan.units.map(\.name))
      }
      let facts = planned.facts
      let values = planned.parameters.map { ($0.address, $0.value) }
      var state = UnitState(facts, values: Dictionary(values) { $1 })
      for property in planned.properties {
        state.properties[facts.properties[property.index].identifier] = property.value
      }
      return (facts, state)
    }
    let facts = try UnitLookup.unit(named: unit, in: catalogue)
    guard let from else { return (facts, UnitState(facts, values: [:])) }
    return (facts, try PresetLibrary.standard.entry(named: from, of: facts).state)
  }

  private func apply(
    _ keyPath: String, _ value: String, to state: inout UnitState, _ facts: UnitFacts
  ) throws {
    guard
      let parameter = facts.parameter(
        atKeyPath: keyPath, inputBusCount: facts.maximumInputBusCount)
    else {
      throw Failure(
        "\(facts.name) has no parameter “\(keyPath)”", code: .usage, nearestTo: keyPath,
        in: facts.allParameters().map(\.keyPath))
    }
    guard parameter.info.isStored else {
      let reason =
        parameter.info.isMomentary ? "is a button, and has no value" : "can be read, but not set"
      throw Failure("“\(keyPath)” \(reason)", code: .usage)
    }
    do {
      state.parameters[parameter.keyPath] = try Quantity.parse(
        value, for: parameter.info, name: keyPath)
    } catch {
      throw Failure(error.description + advice(error.suggestion), code: .usage)
    }
  }
}

struct PresetDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a preset of your own.")

  @OptionGroup var which: PresetChoice

  func run() throws {
    try PresetLibrary.standard.delete(which.preset, of: try which.facts())
  }
}

struct PresetRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a preset of your own another name.")

  @OptionGroup var which: PresetChoice

  @Argument(help: "The new name.")
  var newName: String

  func run() throws {
    try PresetLibrary.standard.rename(which.preset, to: newName, of: try which.facts())
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
    let bytes = try WholeFile.read(file, limit: UnitState.maximumFileSize)
    let (state, diagnostics) = UnitState.read(bytes, file: file) { component in
      catalogue.components(matching: component).first?.facts
    }
    guard let state else { throw Failure(diagnostics) }
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    let facts = try UnitLookup.unit(named: "\(state.component)", in: catalogue)
    guard let name = name ?? state.presetName else {
      throw Failure("the preset in \(file) has no name; give it a name with --name", code: .usage)
    }
    try PresetLibrary.standard.save(state, as: name, of: facts, replacing: replace)
  }
}
