import ArgumentParser
import AudioUnits
import Documents
import RackEngine
import RackModel
import RackStage
import UnitModel

struct Play: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play one unit: a drum loop through an effect, or an instrument from MIDI.",
    discussion: """
      An effect gets the drum loop that comes with Backline, a file of yours (--file), or JACK \
      (--input). An instrument gets a MIDI port; a MIDI processor too, and the sine instrument plays \
      what comes out of it.
        backline play Distortion --preset "Alien Chatter"
        backline play aufx/dely/bkln --set time=375ms --set ping_pong=on
        backline play 'Low-Pass Filter' --preset 'Under Water' --morph 'Take the Edge Off' --over 8
      A bundle that is rebuilt while it plays is loaded again, without a break in the sound.
      """)

  @Argument(help: "A unit: aufx/dely/bkln, its name, or a bundle: ./Ring.unit.", completion: .units)
  var unit: String

  @Option(help: "One of the unit's presets or of your own.", completion: .presets)
  var preset: String?

  @Option(name: .customLong("set"), help: "A parameter, as in --set cutoff='1.2 kHz'.")
  var settings: [String] = []

  @Option(
    help: "A preset to morph to once the unit plays, in the time of --over.",
    completion: .presets)
  var morph: String?

  @Option(help: "The duration of --morph in seconds.")
  var over: Double = 4

  @Option(help: "A sound file to loop instead of the drum loop.", completion: .file())
  var file: String?

  @Flag(help: "Play JACK's input instead of a file.")
  var input = false

  @OptionGroup var server: ServerOptions
  @OptionGroup var osc: OSCOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    if input && file != nil {
      throw ValidationError("give --file or --input, not both")
    }
    if !(over >= 0 && over <= 3600) {
      throw ValidationError("--over takes 0 to 3600 seconds")
    }
    for setting in settings where !setting.dropFirst().contains("=") {
      throw ValidationError("--set '\(setting)': write a parameter as NAME=VALUE")
    }
  }

  func run() async throws {
    let catalogue = try units.catalogue()
    let facts = try UnitLookup.unit(named: unit, in: catalogue)
    let rack = UnitRack(
      facts, reference: UnitLookup.reference(to: facts, named: unit), preset: preset,
      settings: settings,
      source: try source(for: facts))
    let (checked, diagnostics) = rack.check(catalogue)
    let log = EventLog(log)
    for diagnostic in diagnostics {
      if let log {
        log.note(diagnostic)
      } else {
        Terminal.complain("\(diagnostic.severity): \(diagnostic.text)")
      }
    }
    guard let checked else { throw ExitCode.wrongRack }
    let destination = try morph.map { name in
      try Terminal.reporting {
        try PresetLibrary.standard.entry(named: name, of: facts).state
      }
    }
    let player = Player(catalogue: catalogue, server: server, osc: osc, log: log) {
      [over] engine in
      guard let destination else { return }
      try await engine.morph(UnitRack.unitName, to: destination, over: over)
    }
    try await player.play(.rack(checked)) {
      let (rack, diagnostics) = rack.check(catalogue)
      return (rack.map { .rack($0) }, diagnostics)
    }
  }

  private func source(for facts: UnitFacts) throws -> UnitRack.Source {
    let takesAudio = !facts.inputBusses.isEmpty
    let pathProperty = facts.properties.first { $0.isPath }?.identifier
    if input && !takesAudio {
      throw Terminal.refusal("\(facts.name) has no audio input for --input")
    }
    if file != nil && !takesAudio && pathProperty == nil {
      throw Terminal.refusal("\(facts.name) plays no file; --file is for effects and players")
    }
    if input { return .jack }
    if facts.outputBusses.isEmpty && facts.hasMIDIInput { return .midiThroughUnit }
    if !takesAudio && pathProperty == nil { return facts.hasMIDIInput ? .midi : .nothing }
    guard let path = file ?? DataFolder.find(UnitRack.drumLoop) else {
      throw Terminal.refusal(
        "the drum loop that comes with Backline was not found (set BACKLINE_DATA to its "
          + "folder); give a sound file with --file, or --input")
    }
    if !takesAudio, let pathProperty { return .ownFile(path, property: pathProperty) }
    return .file(path)
  }
}

extension Diagnostic {
  /// Without file and line, for a rack that Backline has written.
  var text: String { message + (suggestion.map { "; did you mean “\($0)”?" } ?? "") }
}
