import RackModel

extension Plan {
  /// Returns the tail of the rack once the inputs have ended, seconds: the greatest sum of tails on a path to
  /// an output; infinite with a feedback cable.
  ///
  /// - Parameter tails: the tail of each unit, seconds; those of generators, which never end, are ignored.
  func tailTime(unitTails tails: [Double]) -> Double {
    if hasFeedback { return .infinity }
    let ways =
      cables.map { ($0.source, $0.destination) } + midiCables.map { ($0.source, $0.destination) }
      + modulations.map { ($0.source, .unit($0.unit, bus: 0)) }
    let outgoing = Dictionary(grouping: ways) { source, _ in source.unit ?? -1 }
    /// The longest tails at the inputs of each unit, and at the outputs.
    var before = [Double](repeating: 0, count: units.count)
    var longest = 0.0
    // In order of dependence, so that one pass is enough.
    for unit in UnitGraph(
      unitCount: units.count,
      cables: cables + modulations.map { $0.cable(at: .nowhere) }, midiCables: midiCables
    ).order {
      let isGenerator = "\(units[unit].component.type)" == "augn"
      let total = before[unit] + (isGenerator ? 0 : tails[unit])
      for (_, destination) in outgoing[unit] ?? [] {
        switch destination {
        case .unit(let next, _): before[next] = max(before[next], total)
        case .port: longest = max(longest, total)
        }
      }
    }
    return longest
  }
}
