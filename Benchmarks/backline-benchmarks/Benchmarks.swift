import ArgumentParser
import Glibc

@main
struct Benchmarks: ParsableCommand {
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case graph, units, parameters, response, catalogue, processes, offline, start, memory, client
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

  func run() throws {
    for part in Part.allCases where filter.isEmpty || filter.contains(part) {
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
        }
      } catch {
        print("\n\(part.rawValue): could not be measured: \(error)")
      }
      fflush(nil)
    }
  }
}
