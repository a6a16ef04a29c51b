import AudioUnits
import BacklineTestSupport
import Glibc
import RackEngine
import RackModel

/// The share of a core that whole chains use in cycles of 64 frames at 48 kHz, and its variation.
enum RackBenchmark {
  private static let frames = 64
  private static let warmUp = Measurement.amount(300, short: 10)
  private static let cycles = Measurement.amount(700, short: 10)
  private static let laps = Measurement.amount(15, short: 1)

  static func run() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("amp.nam", bytes: Array(AmpModel.standardA1.file().utf8))
    for side in ["a", "b"] {
      _ = try folder.writeNoise(seconds: 1, channels: 1, to: "\(side).wav")
    }
    let period = Double(frames) / 48_000 * 1e6
    var shares = Table(
      title: "Racks, cycles of \(frames): median", unit: "µs", reference: "period")
    var evenness = Table(
      title: "Evenness of racks: p99 beside the median", unit: "µs", reference: "median")
    for rack in [guitar, singer, synth] {
      let times = try rack.times(in: folder)
      let median = Measurement.median(times)
      let slow = times.sorted()[times.count * 99 / 100]
      shares.rows.append(Table.Row(rack.name, ours: median, reference: period, aim: rack.aim))
      evenness.rows.append(Table.Row(rack.name, ours: slow, reference: median, aim: 1.5))
    }
    try shares.show()
    try evenness.show()
  }

  private static let guitar = Chain(
    name: "stage guitar", aim: 0.25, input: "guitar", inputChannels: 1,
    units: [
      ("tuner", "aufx/tunr/bkln", ""), ("gate", "aufx/gate/bkln", ""),
      ("compressor", "aufx/cmpr/bkln", ""), ("drive", "aufx/drvs/bkln", ""),
      ("amp", "aufx/namp/bkln", "properties: { file: amp.nam }"),
      (
        "cabinet", "aufx/cabn/bkln",
        "properties: { a: a.wav, b: b.wav }, parameters: { trim: 50 ms }"
      ),
      ("tone", "aufx/eqpm/bkln", eightBands),
      ("chorus", "aufx/chor/bkln", "channels: 2"), ("delay", "aufx/dely/bkln", ""),
      ("hall", "aufx/rvrb/bkln", "preset: Large Hall"), ("limiter", "aufx/limt/bkln", ""),
      ("meter", "aufx/lufs/bkln", ""),
    ])

  private static let eightBands =
    "parameters: { " + (1...8).map { "band\($0).gain: 3 dB" }.joined(separator: ", ") + " }"

  private static let singer = Chain(
    name: "singer", aim: 0.15, input: "voice", inputChannels: 1,
    units: [
      ("gate", "aufx/gate/bkln", ""), ("deesser", "aufx/dees/bkln", ""),
      ("tone", "aufx/eqpm/bkln", "preset: Vocal Air"), ("compressor", "aufx/cmpr/bkln", ""),
      ("harmony", "aufx/ptch/bkln", "parameters: { voices: 2 }"),
      ("plate", "aufx/rvrb/bkln", "channels: 2, preset: Vocal Plate"),
      ("delay", "aufx/dely/bkln", ""),
      ("limiter", "aufx/limt/bkln", ""),
    ])

  private static let synth = Chain(
    name: "synth, 16 voices", aim: 0.15, input: "keys", inputChannels: 0,
    units: [
      ("synth", "aumu/poly/bkln", "preset: Warm Pad, parameters: { voices: 16 }"),
      ("chorus", "aufx/chor/bkln", ""), ("hall", "aufx/rvrb/bkln", "preset: Large Hall"),
      ("limiter", "aufx/limt/bkln", ""),
    ])

  /// A row of units from an input to a stereo output.
  private struct Chain {
    var name: String
    /// The largest share of a core that the chain should use.
    var aim: Double
    var input: String
    /// The number of input channels; 0 for a MIDI input.
    var inputChannels: Int
    /// The name, component and further keys of each unit.
    var units: [(name: String, component: String, keys: String)]

    var text: String {
      let port = inputChannels == 0 ? "midi: true" : "channels: \(inputChannels)"
      let lines = units.map { unit in
        let keys = unit.keys.isEmpty ? "" : ", \(unit.keys)"
        return "  \(unit.name): { unit: \(unit.component)\(keys) }"
      }
      let path = ([input] + units.map(\.name) + ["main"]).joined(separator: " -> ")
      return """
        rack: \(name)
        inputs: { \(input): { \(port) } }
        outputs: { main: { channels: 2 } }
        units:
        \(lines.joined(separator: "\n"))
        connections: [ "\(path)" ]

        """
    }

    /// Returns the processor time of each cycle in microseconds: the minimum of several equal laps, which
    /// excludes the machine's other load.
    func times(in folder: TemporaryFolder) throws -> [Double] {
      let checker = RackChecker(catalogue: ComponentCatalogue().facts, folder: folder.url.path) {
        access($0, R_OK) == 0
      }
      let (plan, problems) = checker.check(Array(text.utf8), file: folder.path("rack.yaml"))
      guard let plan else { throw RackError(problems.map { "\($0)" }.joined(separator: "\n")) }
      var times = [Double](repeating: .infinity, count: cycles)
      for _ in 0..<laps {
        for (cycle, time) in try lap(plan).enumerated() { times[cycle] = min(times[cycle], time) }
      }
      return times
    }

    private func lap(_ plan: Plan) throws -> [Double] {
      let renderer = try RackRenderer(plan, blockFrames: frames)
      let sound = inputChannels > 0 ? [Signals.noise(frames: frames).map { $0 * 0.1 }] : []
      let keys = inputChannels > 0 ? [] : (0..<16).map { UInt8(36 + 3 * $0) }
      return try (0..<warmUp + cycles).map { cycle in
        let start = Measurement.now(CLOCK_THREAD_CPUTIME_ID)
        _ = try renderer.render(
          frames: frames, inputs: sound,
          messages: cycle == 0 ? keys.map { .init(bytes: [0x90, $0, 100]) } : [])
        return (Measurement.now(CLOCK_THREAD_CPUTIME_ID) - start) * 1e6
      }.suffix(cycles)
    }
  }
}
