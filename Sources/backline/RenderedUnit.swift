import ArgumentParser
import AudioUnits
import Documents
import RackFiles
import RackModel
import SoundFiles
import UnitModel

/// A unit that `backline render` plays without a rack file.
struct RenderedUnit: ParsableArguments {
  @Option(
    name: .customLong("unit"),
    help: "A unit instead of a rack: aufx/dely/bkln, its name, or a bundle: ./Ring.unit.",
    completion: .units)
  var name: String?

  @Option(help: "One of the unit's presets or of your own.", completion: .presets)
  var preset: String?

  @OptionGroup var settings: SettingOptions
  @OptionGroup var place: ProcessOption

  /// Checks the positional words of the command line.
  func validate(_ words: [String], hasPorts: Bool, isBatch: Bool) throws {
    guard name != nil else {
      if words.count != 1 { throw ValidationError(WrongWord.asRack(words)) }
      if preset != nil || !settings.pairs.isEmpty || place.process != nil {
        throw ValidationError(
          "--preset, --set and --process are for --unit; a rack file has its own settings")
      }
      return
    }
    if hasPorts { throw ValidationError("with --unit there are no ports: write IN OUT") }
    if isBatch {
      if words.isEmpty {
        throw ValidationError("with --unit and --out-dir write the files to read")
      }
    } else if !(1...2).contains(words.count) {
      throw ValidationError("with --unit write the file to read and the file to write: IN OUT")
    }
  }

  /// Returns a rack in memory around the unit; nil if no unit is named. Writes warnings to standard error.
  ///
  /// - Parameters:
  ///   - words: the file to read and the file to write.
  ///   - isBatch: whether the unit also renders other files.
  func rack(
    _ words: [String], automation: String?, catalogue: ComponentCatalogue, isBatch: Bool = false
  ) throws -> CheckedRack? {
    guard let name else { return nil }
    let facts = try UnitLookup.unit(named: name, in: catalogue)
    try UnitLookup.check(preset: preset, of: facts)
    let source = try source(for: facts, words)
    if isBatch, case .ownFile = source {
      throw Failure("\(facts.name) reads its own file, so it renders one at a time", code: .usage)
    }
    var rack = Rack(
      around: facts, UnitLookup.reference(to: facts, named: name), preset: preset,
      settings: settings.pairs.map { Setting($0, $1) }, source: source, process: place.process,
      width: facts.isOfflineEffect ? try? SoundFileReader.width(ofFileAt: words[0]) : nil)
    // A file needs no protection of the ears, and the values of an analyser are no sound.
    for port in rack.outputs.indices where !rack.outputs[port].isMIDI {
      rack.outputs[port].ceiling = Located(.off)
    }
    let loaded = RackLoader.checker("/", catalogue: catalogue).check(rack)
    let (checked, diagnostics) = RackLoader.adding(
      automation, to: loaded, catalogue: catalogue)
    guard let checked else {
      throw Failure(diagnostics.map(\.text).joined(separator: "\n"), code: .wrongRack)
    }
    for diagnostic in diagnostics {
      Terminal.complain("\(diagnostic.severity): \(diagnostic.text)")
    }
    return checked
  }

  private static let midiSuffixes: Set = ["mid", "midi", "smf", "kar", "rmi"]

  /// Returns the unit's input file, by the port that reads the file.
  func files(_ file: String, for plan: Plan) -> [String: String] {
    // A MIDI file may also go to a unit with audio inputs.
    let suffix = file.lowercased().split(separator: ".").last.map(String.init) ?? ""
    let isMIDI = Self.midiSuffixes.contains(suffix) && !plan.midiInputs.isEmpty
    let ports = isMIDI ? plan.midiInputs : plan.inputs + plan.midiInputs
    return ports.first.map { [$0.name: file] } ?? [:]
  }

  private func source(for facts: UnitFacts, _ words: [String]) throws -> Rack.UnitSource {
    let path = facts.hasMIDIInput ? nil : facts.properties.first { $0.isPath }?.identifier
    let reads = facts.takesAudio || facts.hasMIDIInput || path != nil
    guard words.count == (reads ? 2 : 1) else {
      throw Failure(
        reads
          ? "\(facts.name) reads a file: write IN OUT"
          : "\(facts.name) reads no file: write OUT alone", code: .usage)
    }
    if facts.takesAudio { return .jack }
    if let path { return .ownFile(words[0], property: path) }
    return facts.hasMIDIInput ? .midi : .nothing
  }
}
