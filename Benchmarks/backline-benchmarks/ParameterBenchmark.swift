import AudioUnits
import UnitModel

/// The cost of each use of a parameter in a tree of 10,000 parameters, beside one of 100.
enum ParameterBenchmark {
  private static let counts = Measurement.amount([10_000, 100], short: [1000, 100])
  private static let rounds = 9

  static func run() throws {
    var table = Table(
      title: "Parameter trees, processor time", unit: "ns per parameter", reference: "of 100")
    let names = [
      "build", "find by key path", "find by address", "read", "set", "set, with an implementor",
      "set, with an observer, too",
    ]
    var figures = [[Double]](repeating: [], count: names.count)
    for count in counts {
      let measures = try measures(count: count)
      let medians = try Measurement.interleaved(rounds: rounds, measures)
      for (index, seconds) in medians.enumerated() {
        figures[index].append(seconds / Double(counts[0]) * 1e9)
      }
    }
    for (name, pair) in zip(names, figures) {
      table.rows.append(Table.Row(name, ours: pair[0], reference: pair[1]))
    }
    try table.show()
  }

  /// Returns closures that measure each use in seconds, for as many parameters as the larger tree has.
  private static func measures(count: Int) throws -> [() throws -> Double] {
    let facts = facts(count: count)
    let plain = ParameterTree(facts)
    let implemented = ParameterTree(facts)
    implemented.implementorValueObserver = { _, _ in }
    let observed = ParameterTree(facts)
    observed.implementorValueObserver = { _, _ in }
    _ = observed.token(byAddingParameterObserver: { _, _ in })
    let paths = plain.allParameters.map(\.keyPath)
    let turns = counts[0] / count
    var value: Float = 0
    func repeated(_ work: @escaping () -> Void) -> () -> Double {
      { Measurement.seconds { for _ in 0..<turns { work() } } }
    }
    func setting(_ tree: ParameterTree) -> () -> Double {
      let parameters = tree.allParameters
      return repeated {
        value = 1 - value
        for parameter in parameters { parameter.setValue(value) }
      }
    }
    let parameters = plain.allParameters
    return [
      repeated { precondition(ParameterTree(facts).allParameters.count == count) },
      repeated { for path in paths { precondition(plain.parameter(atKeyPath: path) != nil) } },
      repeated {
        for address in 0..<UInt64(count) {
          precondition(plain.parameter(withAddress: address) != nil)
        }
      },
      repeated { for parameter in parameters { precondition(parameter.value >= 0) } },
      setting(plain), setting(implemented), setting(observed),
    ]
  }

  /// Returns a unit with parameters in groups of ten.
  private static func facts(count: Int) -> UnitFacts {
    UnitFacts(
      component: ComponentDescription(type: .any, subtype: .any, manufacturer: .any),
      name: "Many",
      parameters: (0..<count).map { index in
        ParameterInfo(
          identifier: "p\(index % 10)", group: "g\(index / 10)", name: "Parameter", minimum: 0,
          maximum: 1, defaultValue: 0)
      })
  }
}
