import ArgumentParser
import AudioUnits
import RackEngine
import RackModel
import RackStage
import SoundFiles
import UnitModel

extension SampleFormat: ExpressibleByArgument {}

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render sound and MIDI files through a rack.",
    discussion: """
      Faster than real time, with the very sound of a live performance. Inputs that get no file are \
      silent. A MIDI port reads or writes a Standard MIDI File. The suffix decides the format: wav, \
      flac, aiff, caf, w64, au, ogg, opus, mp3. Samples are 32-bit float, in FLAC 24 bits, unless --bits \
      says otherwise; 16 bits are dithered. A file appears when it is complete; after an error the old \
      file stays. An output replaces a file that is read only with --force.
        backline render dalek-voice --in mic=voice.wav --out main=dalek.flac
        backline render small-synth --in keys=song.mid --out main=song.flac
        backline render sweep.yaml --in in=noise.wav --out out=sweep.wav \\
          --automate 'filter.cutoff=200 Hz@0s, 5 kHz@2s'
      With --unit one unit takes the rack's place; it needs no ports, only the file to read and the file \
      to write. In --automate its name is unit.
        backline render --unit Delay --preset Dub guitar.wav dub.flac
        backline render --unit 'Sine Instrument' --set level=-6dB song.mid song.flac
      """)

  @Argument(
    help: """
      A rack file, or the name of a rack that comes with Backline; with --unit the file to read and the \
      file to write.
      """, completion: .racks)
  var words: [String] = []

  @OptionGroup var unit: RenderedUnit

  @Option(
    name: .customLong("in"), help: "A sound or MIDI file for an input: PORT=FILE.",
    completion: .inputPorts)
  var inputs: [String] = []

  @Option(
    name: .customLong("out"), help: "The file for an output: PORT=FILE.",
    completion: .outputPorts)
  var outputs: [String] = []

  @Option(
    name: .customLong("midi"), help: "A MIDI file for a MIDI input: PORT=FILE. The same as --in.")
  var midi: [String] = []

  @Option(
    name: .customLong("automate"),
    help: """
      A lane for a parameter or a bypass, straight from point to point: \
      'UNIT.PARAMETER=VALUE@TIME, VALUE@TIME'.
      """)
  var automation: [String] = []

  @Option(
    name: .customLong("automation"),
    help: "Lanes from a file, such as “backline ctl automate” records, besides the rack's own.",
    completion: .file(extensions: ["yaml"]))
  var lanes: String?

  @Option(
    help: "48000, 44.1kHz, 48k; that of the input files, or 48 kHz, where not given.",
    transform: OptionValue.rate)
  var rate: Int?

  @Option(
    help: """
      Frames rendered at a time; the result does not depend on it, except through a feedback cable \
      (~>), which is late by so many frames.
      """)
  var block = 512

  @Option(
    help: """
      How long: 10s, 1500ms, 2min, 1:30. Default: until the inputs, 24 hours at most, and all tails end.
      """,
    transform: OptionValue.length)
  var length: Double?

  @Option(
    help: "Bits of a sample in the files: 16, 24 or float; float where not given, for FLAC 24.")
  var bits: SampleFormat?

  @Flag(
    inversion: .prefixedNo,
    help: "Add triangular dither to integer samples; without the option 16 bits get it, 24 do not.")
  var dither: Bool?

  @Flag(help: "Let an output replace a file that is read.")
  var force = false

  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    for (options, name) in [(inputs, "--in"), (outputs, "--out"), (midi, "--midi")] {
      _ = try Self.pairs(options, name)
    }
    try unit.validate(words, hasPorts: !(inputs + outputs + midi).isEmpty)
    guard (1...1 << 20).contains(block) else {
      throw ValidationError("--block is 1 to \(1 << 20) frames")
    }
  }

  func run() throws {
    let catalogue = try units.catalogue()
    let checked =
      try unit.rack(words, automation: lanes, catalogue: catalogue)
      ?? RackLoader.rack(words[0], automation: lanes, catalogue: catalogue)
    let plan = checked.plan
    var job = OfflineJob()
    var files = try Self.pairs(inputs, "--in")
    var places = try Self.pairs(outputs, "--out")
    if unit.name != nil {
      // A MIDI file plays a unit that takes sound as well.
      let isMIDI = words[0].lowercased().hasSuffix(".mid") && !plan.midiInputs.isEmpty
      let ports = isMIDI ? plan.midiInputs : plan.inputs + plan.midiInputs
      for port in ports.prefix(1) { files[port.name] = words[0] }
      for port in plan.outputs { places[port.name] = words[words.count - 1] }
    }
    let midiNames = plan.midiInputs.map(\.name)
    job.inputs = files.filter { !midiNames.contains($0.key) }
    let midiFiles = try Self.pairs(midi, "--midi").merging(
      files.filter { midiNames.contains($0.key) }
    ) { one, other in
      throw ValidationError("a MIDI input has one file, not both \(one) and \(other)")
    }
    job.outputs = places
    guard !job.outputs.isEmpty else {
      let example =
        (plan.outputs + plan.midiOutputs).first.map { "--out \($0.name)=FILE" } ?? "an output"
      throw Failure("nothing to write: give \(example)", code: .usage)
    }
    job.messageFiles = midiFiles
    job.mayReplaceInputs = force
    if !force, let replaced = job.replacedInput(of: plan) {
      throw Failure("\(replaced); write to another file, or give --force")
    }
    job.sampleRate = rate.map(Double.init)
    job.blockFrames = block
    job.samples = bits
    job.isDithered = dither
    job.length = length
    job.messages = try RenderMaterial.messages(midiFiles, plan: plan)
    let checker = RackLoader.checker(checked.folder, catalogue: catalogue)
    for text in automation {
      do {
        job.automation.append(try checker.lane(text, of: checked))
      } catch {
        throw Failure("--automate: \(error)")
      }
    }
    let renderer = try OfflineRenderer(plan, catalogue: catalogue, job: job)
    let bar = ProgressBar()
    defer { bar.finish() }
    let start = ContinuousClock.now
    let signals = Signals()
    signals.waitUntilRegistered()
    let result = try renderer.render { (share) in
      if signals.stopIsAsked { throw Failure("interrupted; nothing of the rendering is kept") }
      bar.show(share)
    }
    bar.finish()
    report(result, of: plan, took: ContinuousClock.now - start, job: job)
  }

  private func report(_ result: OfflineResult, of plan: Plan, took: Duration, job: OfflineJob) {
    let seconds = Double(result.frames) / result.sampleRate
    let duration = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
    let files = job.outputs.values.sorted().joined(separator: ", ")
    let speed = duration > 0 ? ", \(Int((seconds / duration).rounded())) times real time" : ""
    let length = "\((seconds * 100).rounded() / 100) s at \(Int(result.sampleRate)) Hz"
    let formats = Set(
      plan.outputs.compactMap { job.outputs[$0.name] }.map {
        SampleFormat.name(of: $0, asked: bits)
      })
    print("\(files): \(([length] + formats.sorted()).joined(separator: ", "))\(speed)")
    for (file, count) in result.clippedSamples.sorted(by: { $0.key < $1.key }) {
      Terminal.complain(
        "warning: \(file): \(count) samples were above full scale and were clipped; turn an output"
          + " down, or keep them with --bits float")
    }
    let given = Set(job.inputs.keys).union(job.messageFiles.keys)
    for (ports, kind) in [(plan.inputs, "silent"), (plan.midiInputs, "without notes")] {
      for port in ports where unit.name == nil && !given.contains(port.name) {
        Terminal.complain(
          "warning: input \(port.name) had no file and was \(kind): --in \(port.name)=FILE")
      }
    }
    for file in result.incompleteInputs {
      Terminal.complain("warning: \(file) is cut short; its readable part was rendered")
    }
    for unit in result.faultyUnits {
      Terminal.complain(
        "warning: \(unit) produced NaN or infinity, or failed to render; it was muted")
    }
    for unit in result.absentUnits {
      Terminal.complain("warning: \(unit) missed cycles; its input passed through instead")
    }
    if let missing = AudioUnit.missingConfinement {
      Terminal.complain("warning: \(UnitConfinement.warning(missing: missing))")
    }
    if result.lostEvents > 0 {
      Terminal.complain("warning: \(result.lostEvents) events were lost: too many at one time")
    }
  }

  private static func pairs(_ options: [String], _ name: String) throws -> [String: String] {
    var pairs: [String: String] = [:]
    for option in options {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("\(name) “\(option)”: write PORT=FILE")
      }
      guard pairs.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw ValidationError("\(name) names \(parts[0]) twice")
      }
    }
    return pairs
  }
}
