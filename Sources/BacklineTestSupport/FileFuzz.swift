import AudioUnits
import Documents
import Foundation
import RackEngine
import RackModel
import UnitModel

/// Reads mutated files of every kind that Backline reads. A reader may refuse a file, but must not
/// crash or take long.
package struct FileFuzz {
  /// The results of reading the files of one kind.
  package struct Result: Sendable {
    package var kind: String
    package var files = 0
    /// The number of files that were read without an error.
    package var accepted = 0
    package var slowest = Duration.zero
  }

  private struct Kind {
    var name: String
    var seeds: [[UInt8]]
    /// Whether the file was read without an error.
    var read: ([UInt8]) -> Bool
  }

  private let folder: TemporaryFolder
  private let catalogue = ComponentCatalogue()
  private var checker: RackChecker { RackChecker(catalogue: catalogue, folder: "/") { _ in true } }

  package init() throws { folder = try TemporaryFolder() }

  /// - Parameter count: the number of files of each kind.
  package func run(count: Int, seed: UInt64) throws -> [Result] {
    try kinds().map { kind in
      var mutator = Mutator(seed: seed)
      var result = Result(kind: kind.name)
      for number in 0..<count {
        let bytes = mutator.mutated(kind.seeds[number % kind.seeds.count])
        let start = ContinuousClock.now
        if kind.read(bytes) { result.accepted += 1 }
        result.slowest = max(result.slowest, .now - start)
        result.files += 1
      }
      return result
    }
  }

  private func kinds() throws -> [Kind] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    func files(in path: String, _ suffix: String) throws -> [[UInt8]] {
      let folder = root.appending(path: path)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try names.filter { $0.hasSuffix(suffix) }.sorted()
        .map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    }
    let racks = try files(in: "racks", ".yaml") + files(in: "Tests/Fixtures/writing", ".yaml")
    let notes = (0..<40).map {
      TimedMIDI(seconds: Double($0) / 10, bytes: [$0 % 2 == 0 ? 0x90 : 0x80, 60, 100])
    }
    let lanes =
      "automation:\n  echo.mix: [10 % @ 0 s, 60 % @ bar 5 beat 2.5]\n  echo.bypass: [on @ 1:30]\n"
    return [
      Kind(name: "racks", seeds: racks, read: readRack),
      Kind(name: "set lists", seeds: try files(in: "racks", ".setlist.yaml") + [Self.setList]) {
        SetListChecker(locate: { $0 }, load: { _ in (nil, []) }).check($0, file: "f").list != nil
      },
      Kind(name: "presets", seeds: try files(in: "presets/aufx-lpas-bkln", ".yaml")) {
        UnitState.read($0, file: "f") {
          try? catalogue.facts(for: UnitReference(.component($0))).first
        }
        .state != nil
      },
      Kind(name: "manifests", seeds: try files(in: "templates", "unit.yaml"), read: readManifest),
      Kind(name: "automation", seeds: [Array(lanes.utf8)]) {
        let (lanes, problems) = AutomationFile.parse($0, file: "f")
        guard let rack = checker.open(Self.rack.utf8, file: "r").rack else { return false }
        return checker.adding(lanes, from: "f", to: rack).rack != nil && problems.isEmpty
      },
      Kind(name: "MIDI", seeds: [MIDIFile.bytes(of: notes, length: 5, sampleRate: 48_000)]) {
        guard let messages = (try? MIDIFile.parse($0))?.messages else { return false }
        return render(messages: messages)
      },
      Kind(name: "sound", seeds: try files(in: "racks/sounds", ".flac") + [Self.wave]) {
        render(sound: $0)
      },
      Kind(name: "SFZ", seeds: [Array(Self.instrument.utf8)]) { play($0, as: "f.sfz") },
      Kind(name: "SoundFonts", seeds: [Self.soundFont.bytes]) { play($0, as: "f.sf2") },
      Kind(name: "scales", seeds: [Array(Self.scale.utf8)]) { play($0, as: "scale") },
      Kind(name: "mappings", seeds: [Array(Self.mapping.utf8)]) { play($0, as: "mapping") },
    ]
  }

  private static let rack = """
    rack: Fuzz
    inputs: { mic: , keys: { midi: true } }
    outputs: { main: }
    units: { synth: { unit: aumu/sine/bkln }, echo: { unit: Delay } }
    connections: [mic -> echo -> main, keys -> synth -> echo]
    """

  private static let setList = Array(
    """
    setlist: Evening
    programs: { input: pedals, channel: 16, connect: ["a:b"] }
    songs:
      First: { rack: guitar, scene: far, program: 1, bank: 1/2 }
      Second: { rack: voice.yaml, program: 128 }
    """.utf8)

  /// A second of silence at 8 kHz, 16 bits.
  private static let wave: [UInt8] = {
    func word(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let format =
      word(1, 2) + word(1, 2) + word(8000, 4) + word(16_000, 4) + word(2, 2) + word(16, 2)
    return Array("RIFF".utf8) + word(36 + 16_000, 4) + Array("WAVEfmt ".utf8) + word(16, 4) + format
      + Array("data".utf8) + word(16_000, 4) + [UInt8](repeating: 0, count: 16_000)
  }()

  private static let instrument = """
    <control> default_path=./ set_cc20=30 note_offset=12
    #define $SOUND in.wav
    <global> sample=$SOUND ampeg_release=0.3 bend_up=700 amp_velcurve_64=0.5
    <group> lovel=1 hivel=80 seq_length=2 // softly
    <region> loop_mode=loop_sustain loop_start=10 loop_end=33 loop_crossfade=0.001 cutoff=700
    <region> key=c4 trigger=release cutoff_oncc1=1200 pitchlfo_freq=5 pitchlfo_depth=30
    """

  private static let scale = "! s.scl\nA scale\n 4\n!\n 9/8\n400.0 cents\n3/2 a fifth\n2/1\n"
  private static let mapping = "! m.kbm\n5\n0\n127\n60\n69\n440.0\n4\n0\n1\nx\n2\n3\n"

  private static let soundFont = SoundFontFile(presets: [
    SoundFontFile.Preset(zones: [
      SoundFontFile.Zone(
        SoundFile.sine(500, frames: 480).channels[0], loop: 96..<384, [(54, 1), (8, 8000), (36, 0)])
    ])
  ])

  // MARK: - Readers

  /// Reads a rack file; a rack that can be read must also be writable.
  private func readRack(_ bytes: [UInt8]) -> Bool {
    guard let rack = checker.open(bytes, file: "f").rack else { return false }
    _ = try? RackFileWriter(checker).write(rack, into: rack)
    return true
  }

  /// Plays an instrument from the file, or a sine instrument with the file's tuning.
  private func play(_ bytes: [UInt8], as name: String) -> Bool {
    let tunes = !name.contains(".")
    let unit = BuiltInUnit(tunes ? "aumu/sine/bkln" : "aumu/smpl/bkln")
    guard (try? folder.write("in.wav", bytes: Self.wave)) != nil,
      let file = try? folder.write(name, bytes: bytes),
      let host = try? UnitHost(unit.descriptor, properties: [tunes ? name : "file": file])
    else { return false }
    let events = (0..<20).map {
      UnitHost.Event.midi([$0 % 3 == 2 ? 0x80 : 0x90, UInt8(50 + $0), 100], at: 50 * $0)
    }
    _ = host.render(frames: 1200, events: events)
    return true
  }

  private func readManifest(_ bytes: [UInt8]) -> Bool {
    let bundle = folder.path("Fuzz.unit")
    guard (try? Folder.make(bundle)) != nil,
      (try? folder.write("Fuzz.unit/unit.yaml", bytes: bytes)) != nil
    else { return false }
    let catalogue = ComponentCatalogue(bundles: [bundle], cacheFolder: folder.path("cache"))
    return (try? catalogue.facts(for: UnitReference(bundle))) != nil
  }

  private func render(sound: [UInt8]? = nil, messages: [TimedMIDI] = []) -> Bool {
    guard let plan = checker.check(Self.rack.utf8, file: "r").0 else { return false }
    var job = OfflineJob()
    if let sound {
      guard let path = try? folder.write("in.wav", bytes: sound) else { return false }
      job.inputs["mic"] = path
    }
    job.messages = messages.map { .init(port: 0, time: $0.seconds, bytes: $0.bytes) }
    job.outputs["main"] = folder.path("out.wav")
    job.length = 0.2
    guard let renderer = try? OfflineRenderer(plan, catalogue: catalogue, job: job) else {
      return false
    }
    return (try? renderer.render()) != nil
  }
}
