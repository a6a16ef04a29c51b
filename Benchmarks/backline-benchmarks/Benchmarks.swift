import ArgumentParser
import Glibc

@main
struct Benchmarks: AsyncParsableCommand {
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case graph, threads, worst, units, racks, pedalboard, parameters, response, catalogue, processes
    case offline, start, memory, client, convolution, control, page
    case faults, kills, hosts, servers, edits, flood, files, stage

    /// Whether the part takes minutes and runs only with `--soak`.
    var isSoak: Bool {
      [.faults, .kills, .hosts, .servers, .edits, .flood, .files, .stage].contains(self)
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "backline-benchmarks",
    abstract: "Measures Backline beside floors and peers.",
    discussion: """
      Everything in a table is timed in one run, in turns: ratios repeat better than times. Slow \
      results are no failure; the exit code is 1 only when a part could not be measured.
      """)

  @Option(help: "Only these parts; may be given several times.")
  var filter: [Part] = []

  @Flag(
    help:
      "The parts that take minutes: faults, kills, edits, mutated files, ten minutes on stage."
  )
  var soak = false

  // Read by `Measurement.isShort`.
  @Flag(help: "Each part once with small inputs, in seconds: whether it can be measured at all.")
  var short = false

  func run() async throws {
    var failed = false
    for part in Part.allCases
    where filter.isEmpty ? part.isSoak == soak : filter.contains(part) {
      do {
        switch part {
        case .graph: try GraphBenchmark.run()
        case .threads: try ThreadBenchmark.run()
        case .worst: try GraphBenchmark.worstCycle()
        case .units: try UnitBenchmark.run()
        case .racks: try RackBenchmark.run()
        case .pedalboard: try PedalboardBenchmark.run()
        case .parameters: try ParameterBenchmark.run()
        case .response: try ResponseBenchmark.run()
        case .catalogue: try CatalogueBenchmark.run()
        case .processes: try ProcessBenchmark.run()
        case .offline: try OfflineBenchmark.run()
        case .start: try LiveBenchmark.start()
        case .memory: try LiveBenchmark.memory()
        case .client: try LiveBenchmark.client()
        case .convolution: try ConvolutionBenchmark.run()
        case .control: try ControlBenchmark.run()
        case .page: try PageBenchmark.run()
        case .faults: try await FaultSoak.run()
        case .kills: try KillSoak.run()
        case .hosts: try HostSoak.run()
        case .servers: try await ServerSoak.run()
        case .edits: try await EditSoak.run()
        case .flood: try FloodSoak.run()
        case .files: try FileSoak.run()
        case .stage: try StageSoak.run()
        }
      } catch {
        print("\n\(part.rawValue): could not be measured: \(error)")
        failed = true
      }
      fflush(nil)
    }
    if failed { throw ExitCode.failure }
  }
}
