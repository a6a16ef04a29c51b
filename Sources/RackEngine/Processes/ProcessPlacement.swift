import AudioUnits

/// Which processes are better off on another processor than the render thread's, by what it costs to
/// wake them there and by what they have to do.
///
/// Units that wait for one another gain nothing there, and each wake-up is dearer. Side branches run
/// while the others do: what both take at the same time is saved.
struct ProcessPlacement {
  let costs: WakeCosts
  private let sideBranches: [Int]
  private let beside: [Int]
  /// Smoothed. Nanoseconds, by unit
  private var times: [Double] = []
  private(set) var elsewhere: Set<Int> = []

  /// How much of the newest time is taken over each time.
  private static let smoothing = 0.1
  /// So much more than the dearer wake-up must be saved, or less than the inverse: who moves back and
  /// forth runs with cold caches.
  private static let margin = 1.5

  /// - Parameters:
  ///   - sideBranches: units that can run while others do.
  ///   - beside: those others.
  init(sideBranches: [Int], beside: [Int], costs: WakeCosts) {
    self.sideBranches = sideBranches
    self.beside = beside
    self.costs = costs
  }

  /// Takes in what each unit took last (nanoseconds, 0 for those of the host); answers whether one is
  /// to move.
  mutating func note(_ latest: [Int]) -> Bool {
    if times.count != latest.count { times = latest.map(Double.init) }
    for (index, time) in latest.enumerated() {
      // Not up from nothing: a unit that has only begun is as slow as it is.
      let share = times[index] == 0 ? 1 : Self.smoothing
      times[index] += (Double(time) - times[index]) * share
    }
    guard let other = costs.other else { return false }
    func sum(_ units: [Int]) -> Double { units.reduce(0) { $0 + times[$1] } }
    let saved = min(sum(sideBranches), sum(beside))
    // One wake-up there, one back.
    let dearer = Double(2 * (other - costs.same))
    let threshold = elsewhere.isEmpty ? dearer * Self.margin : dearer / Self.margin
    let before = elsewhere
    elsewhere = saved > max(threshold, 0) ? Set(sideBranches) : []
    return elsewhere != before
  }
}
