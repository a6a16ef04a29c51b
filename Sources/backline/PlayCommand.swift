import ArgumentParser
import AudioUnits
import Documents
import RackEngine
import RackFiles
import RackModel
import RackStage
import UnitModel

struct Play: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play one unit: a drum loop through an effect, or an instrument from MIDI.",
    discussion: """
      An effect gets the drum loop that comes with Backline, a file of yours (--file), or JACK \
      (--input). An instrument gets a MIDI port; a MIDI processor too, and the sine instrument plays \
      its notes.
        backline play Distortion --preset "Alien Chatter"
        backline play aufx/dely/bkln --set time=375ms --set ping_pong=on
        backline play 'Low-Pass Filter' --preset 'Under Water' --morph 'Take the Edge Off' --over 8
      A bundle that is rebuilt while it plays is loaded again, without a break in the sound.
      """)

  @Argument(help: "A unit: aufx/dely/bkln, its name, or a bundle: ./Ring.unit.", completion: .units)
  var unit: String

  @Option(help: "One of the unit's presets or of your own.", completion: .presets)
  var preset: String?

  @OptionGroup var settings: SettingOptions
  @OptionGroup var place: ProcessOption

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
  @OptionGroup var page: PageOptions
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
  }

  func run() async throws {
    let catalogue = try units.catalogue()
    let facts = try UnitLookup.unit(named: unit, in: catalogue)
    try UnitLookup.check(preset: preset, of: facts)
    let rack = Rack(
      around: facts, UnitLookup.reference(to: facts, named: unit), preset: preset,
      settings: settings.pairs.map { Setting($0, $1) }, source: try source(for: facts),
      process: place.process)
    let check = { @Sendable in
      var checker = RackLoader.checker("/", catalogue: catalogue)
      checker.playsLive = true
      return checker.check(rack)
    }
    let (checked, diagnostics) = check()
    let log = log.log
    for diagnostic in diagnostics {
      if let log {
        log.write(.diagnostic(diagnostic))
      } else {
        Terminal.complain("\(diagnostic.severity): \(diagnostic.text)")
      }
    }
    guard let checked else { throw ExitCode.wrongRack }
    let destination = try morph.map { name in
      try PresetLibrary.standard.entry(named: name, of: facts).state
    }
    try await Player(log).play(
      server: server,
      atStart: { engine in
        guard let destination else { return }
        let (status, unit) = (
          await engine.status(), await engine.audioUnit(named: Rack.unitName)
        )
        // The reported time is already past, and a start in the past would cut the first ramps short.
        try unit?.morph(
          to: destination, from: status.sampleTime + Int64(0.1 * status.sampleRate),
          frames: Int(over * status.sampleRate))
      },
      start: {
        try await Stage.start(.rack(checked), server.stage(osc, page), catalogue: catalogue) {
          let (rack, diagnostics) = check()
          return (rack.map { .rack($0) }, diagnostics)
        }
      })
  }

  private func source(for facts: UnitFacts) throws -> Rack.UnitSource {
    let takesAudio = facts.takesAudio
    let pathProperty =
      facts.hasMIDIInput ? nil : facts.properties.first { $0.isPath }?.identifier
    if input && !takesAudio {
      throw Failure("\(facts.name) has no audio input for --input", code: .usage)
    }
    if file != nil && !takesAudio && pathProperty == nil {
      throw Failure(
        "\(facts.name) cannot play a file; --file is for effects and players", code: .usage)
    }
    if input { return .jack }
    if !takesAudio && pathProperty == nil { return facts.hasMIDIInput ? .midi : .nothing }
    guard let path = file ?? DataFolder.find("racks/sounds/drum-loop.flac") else {
      throw Failure(
        "the drum loop that comes with Backline was not found (set BACKLINE_DATA to its "
          + "folder); give a sound file with --file, or --input", code: .usage)
    }
    if !takesAudio, let pathProperty { return .ownFile(path, property: pathProperty) }
    return .file(path)
  }
}

extension Diagnostic {
  /// The message without file and line, for a rack that Backline has written.
  var text: String { message + advice(suggestion) }
}
