import RackModel

extension Plan {
  /// Seconds for which sound goes on once the inputs have ended: the longest way to an output, the
  /// tails on it added up.
  ///
  /// `tails` has one for each unit; generators play for ever anyway and count as 0. Infinite where
  /// a tail is, or where a feedback cable leads round.
  func tailTime(unitTails tails: [Double]) -> Double {
    if cables.contains(where: \.isFeedback) { return .infinity }
    let ways =
      cables.map { ($0.source, $0.destination) } + midiCables.map { ($0.source, $0.destination) }
    let outgoing = Dictionary(grouping: ways) { source, _ in source.unit ?? -1 }
    /// What sounds on at the inputs of each unit, and at the outputs.
    var before = [Double](repeating: 0, count: units.count)
    var longest = 0.0
    // Every unit after those that feed it, so that one pass is enough.
    for unit in UnitGraph(
      unitCount: units.count, cables: cables, midiCables: midiCables
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
