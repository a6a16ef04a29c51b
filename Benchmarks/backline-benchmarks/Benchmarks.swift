import ArgumentParser
import Glibc

@main
struct Benchmarks: AsyncParsableCommand {
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case graph, units, parameters, response, catalogue, processes, offline, start, memory, client
    case faults, kills, hosts, servers, edits, flood, stage

    /// Takes minutes, and is run where it is asked for.
    var isSoak: Bool { [.faults, .kills, .hosts, .servers, .edits, .flood, .stage].contains(self) }
  }

  static let configuration = CommandConfiguration(
    commandName: "backline-benchmarks",
    abstract: "Measures Backline beside floors and peers.",
    discussion: """
      Everything in a table is timed in one run, by turns; believe the ratios. It measures and does \
      not judge: the exit code is 0 whatever comes out.
      """)

  @Option(help: "Only these parts; may be given several times.")
  var filter: [Part] = []

  @Flag(
    help:
      "The parts that take minutes: faults, kills, killed hosts and servers, edits, ten minutes on stage."
  )
  var soak = false

  func run() async throws {
    for part in Part.allCases
    where filter.isEmpty ? part.isSoak == soak : filter.contains(part) {
      do {
        switch part {
        case .graph: try GraphBenchmark.run()
        case .units: try UnitBenchmark.run()
        case .parameters: try ParameterBenchmark.run()
        case .response: try ResponseBenchmark.run()
        case .catalogue: try CatalogueBenchmark.run()
        case .processes: try ProcessBenchmark.run()
        case .offline: try OfflineBenchmark.run()
        case .start: try LiveBenchmark.start()
        case .memory: try LiveBenchmark.memory()
        case .client: try LiveBenchmark.client()
        case .faults: try await FaultSoak.run()
        case .kills: try KillSoak.run()
        case .hosts: try HostSoak.run()
        case .servers: try await ServerSoak.run()
        case .edits: try await EditSoak.run()
        case .flood: try FloodSoak.run()
        case .stage: try StageSoak.run()
        }
      } catch {
        print("\n\(part.rawValue): could not be measured: \(error)")
      }
      fflush(nil)
    }
  }
}
