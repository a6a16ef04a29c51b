import ArgumentParser
import AudioUnits
import Documents
import RackEngine
import RackFiles
import RackModel
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
      With --out-dir many files are rendered, one on each processor: an input has several files, by names \
      with * or by several --in; with --unit there are only files to read. Each output has the name of its \
      input. Inputs with several files each go together by their names; one file goes with all. A file that \
      fails is reported, and the others are rendered.
        backline render dalek-voice --in 'mic=takes/*.wav' --out-dir daleks
        backline render --unit Normalise --out-dir loud takes/*.wav
      """)

  @Argument(
    help: """
      A rack file, or the name of a rack that comes with Backline; with --unit the file to read and the \
      file to write, or with --out-dir the files to read.
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
    name: .customLong("out-dir"),
    help:
      "A folder for the outputs of many files, each named after its input. It is made if need be.",
    completion: .directory)
  var outFolder: String?

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
    help: """
      90, 90bpm: the tempo, in 4/4. Default: tempo and metre of the first MIDI file that says any, in the order \
      of the rack's inputs; or the rack's tempo.
      """,
    transform: OptionValue.tempo)
  var tempo: Double?

  @Option(
    help: "48000, 44.1kHz, 48k; that of the input files, or 48 kHz, where not given.",
    transform: OptionValue.rate)
  var rate: Int?

  @Option(
    help: """
      Frames rendered at a time; the result does not depend on it, except through a pipelined unit, \
      which is late by so many frames.
      """)
  var block = 512

  @Option(
    help: """
      How long: 10s, 1500ms, 2min, 1:30. Default: until the inputs, 24 hours at most, and all tails end. \
      Before an offline effect, such as Stretch, which has its own length.
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

  @Option(
    help: """
      Seconds that a unit in a process of its own may take for a block before it is taken to hang; for its \
      first block it has 60 at least.
      """)
  var timeLimit = 5.0

  @Flag(help: "Let an output replace a file that is read.")
  var force = false

  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    if outFolder == nil {
      for (options, name) in [(inputs, "--in"), (midi, "--midi")] {
        _ = try PortFiles(options, name).single(name)
      }
    } else if !outputs.isEmpty {
      throw ValidationError(
        "--out names one file; with --out-dir the outputs are named by the inputs")
    }
    _ = try PortFiles(outputs, "--out").single("--out")
    try unit.validate(
      words, hasPorts: !(inputs + outputs + midi).isEmpty, isBatch: outFolder != nil)
    guard (1...1 << 20).contains(block) else {
      throw ValidationError("--block is 1 to \(1 << 20) frames")
    }
    guard timeLimit >= 0.001 && timeLimit <= 86_400 else {
      throw ValidationError("--time-limit is a number of seconds, 0.001 to a day")
    }
  }

  func run() throws {
    Terminal.reportCrashes()
    let catalogue = try units.catalogue()
    if let outFolder {
      let tasks = try batch(catalogue, in: outFolder)
      if unit.name == nil, let first = tasks.first { complainOfSilentInputs(first) }
      return try RenderBatch(tasks).run(catalogue: catalogue)
    }
    let checked =
      try unit.rack(words, automation: lanes, catalogue: catalogue)
      ?? RackLoader.rack(words[0], automation: lanes, catalogue: catalogue)
    let plan = checked.plan
    var files = try PortFiles(inputs, "--in").single("--in")
    var places = try PortFiles(outputs, "--out").single("--out")
    if unit.name != nil {
      files = unit.files(words[0], for: plan)
      for port in plan.outputs { places[port.name] = words[words.count - 1] }
    }
    guard !places.isEmpty else {
      let example =
        (plan.outputs + plan.midiOutputs).first.map { "--out \($0.name)=FILE" } ?? "an output"
      throw Failure("nothing to write: give \(example)", code: .usage)
    }
    let task = RenderTask(
      checked: checked,
      job: try job(
        for: checked, files, midi: try PortFiles(midi, "--midi").single("--midi"), places, catalogue
      ))
    try task.refuseToReplaceInputs()
    var bar = ProgressBar()
    defer { bar.finish() }
    let signals = Signals()
    let report = try task.render(catalogue: catalogue) { share in
      if signals.stopIsAsked { throw Failure("interrupted; nothing of the rendering is kept") }
      bar.show(share)
    }
    bar.finish()
    print(report.line)
    for warning in report.warnings { Terminal.complain("warning: \(warning)") }
    if report.lacksFiles { throw ExitCode.refusedFile }
    if unit.name == nil { complainOfSilentInputs(task) }
    if report.wasTooLoud { throw ExitCode.tooLoud }
  }

  /// Returns a task for each of many files.
  private func batch(
    _ catalogue: ComponentCatalogue, in folder: String
  ) throws -> [RenderTask] {
    if unit.name != nil {
      let files = try PortFiles(words.map { "in=\($0)" }, "IN").all(of: "in")
      let names = try BatchNames(["in": files]).names
      return try zip(files, names).map { file, name in
        // Each rack has as many channels as its file.
        let checked = try unit.rack(
          [file, ""], automation: lanes, catalogue: catalogue, isBatch: true)
        guard let checked else { throw Failure("no unit is named") }
        let plan = checked.plan
        return RenderTask(
          checked: checked,
          job: try job(
            for: checked, unit.files(file, for: plan), midi: [:],
            BatchNames.outputs(of: plan, named: name, after: file, in: folder), catalogue))
      }
    }
    let checked = try RackLoader.rack(words[0], automation: lanes, catalogue: catalogue)
    let plan = checked.plan
    let given = try PortFiles(inputs, "--in").adding(try PortFiles(midi, "--midi"))
    let order = (plan.inputs + plan.midiInputs).map(\.name)
    if let unknown = given.all.keys.sorted().first(where: { !order.contains($0) }) {
      throw Failure("rack \(plan.name) has no input \(unknown)", nearestTo: unknown, in: order)
    }
    let names = try BatchNames(given.all)
    return try names.names.map { name in
      let files = names.files(of: name)
      let first = order.compactMap { files[$0] }.first ?? ""
      return RenderTask(
        checked: checked,
        job: try job(
          for: checked, files, midi: [:],
          BatchNames.outputs(of: plan, named: name, after: first, in: folder), catalogue))
    }
  }

  /// Returns the job of a rendering.
  ///
  /// - Parameters:
  ///   - files: the files of audio and MIDI inputs, by port.
  ///   - midi: further files of MIDI inputs, by port.
  private func job(
    for checked: CheckedRack, _ files: [String: String], midi: [String: String],
    _ places: [String: String], _ catalogue: ComponentCatalogue
  ) throws -> OfflineJob {
    let plan = checked.plan
    var job = OfflineJob()
    let midiNames = plan.midiInputs.map(\.name)
    job.inputs = files.filter { !midiNames.contains($0.key) }
    job.messageFiles = try midi.merging(files.filter { midiNames.contains($0.key) }) { one, other in
      throw ValidationError("a MIDI input has one file, not both \(one) and \(other)")
    }
    job.outputs = places
    job.mayReplaceInputs = force
    job.sampleRate = rate.map(Double.init)
    job.tempoMap =
      tempo.map(TempoMap.init(tempo:))
      ?? midiNames.lazy.compactMap { job.messageFiles[$0].flatMap(Self.tempoMap) }.first
    job.blockFrames = block
    job.timeLimit = timeLimit
    job.samples = bits
    job.isDithered = dither
    job.length = length
    let checker = RackLoader.checker(checked.folder, catalogue: catalogue)
    for text in automation {
      do {
        job.automation.append(try checker.lane(text, of: checked))
      } catch {
        throw Failure("--automate: \(error)")
      }
    }
    return job
  }

  /// Returns the tempo map of a MIDI file; nil without one, or if the file cannot be read, which the rendering reports.
  private static func tempoMap(ofFileAt path: String) -> TempoMap? {
    try? MIDIFile.parse(WholeFile.read(path, limit: MIDIFile.maximumSize)).tempoMap
  }

  private func complainOfSilentInputs(_ task: RenderTask) {
    let plan = task.checked.plan
    let given = Set(task.job.inputs.keys).union(task.job.messageFiles.keys)
    for (ports, kind) in [(plan.inputs, "silent"), (plan.midiInputs, "without notes")] {
      for port in ports where !given.contains(port.name) {
        Terminal.complain(
          "warning: input \(port.name) had no file and was \(kind): --in \(port.name)=FILE")
      }
    }
  }
}
