import RackModel

extension Plan {
  /// Seconds for which sound goes on once the inputs have ended: the longest way to an output, the
  /// tails on it added up.
  ///
  /// `tails` has one for each unit; generators play for ever anyway and count as 0. Infinite where
  /// a tail is, or where a feedback cable leads round.
  func tailTime(unitTails tails: [Double]) -> Double {
    if cables.contains(where: \.isFeedback) { return .infinity }
    var known: [Int: Double] = [:]
    func tail(upTo destination: (Endpoint) -> Bool) -> Double {
      cables.filter { destination($0.destination) }.map { cable -> Double in
        guard case .unit(let unit, _) = cable.source else { return 0 }
        return tail(of: unit)
      }.max() ?? 0
    }
    func tail(of unit: Int) -> Double {
      if let tail = known[unit] { return tail }
      let before = tail { endpoint in
        if case .unit(unit, _) = endpoint { return true }
        return false
      }
      let isGenerator = "\(units[unit].component.type)" == "augn"
      let total = before + (isGenerator ? 0 : tails[unit])
      known[unit] = total
      return total
    }
    return tail { endpoint in
      if case .port = endpoint { return true }
      return false
    }
  }
}
