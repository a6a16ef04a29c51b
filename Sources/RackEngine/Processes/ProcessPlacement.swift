import AudioUnits

/// Decides which processes run on another processor than the render thread's, by their times and the
/// cost of a wake-up there.
///
/// Units that wait for each other gain nothing on another processor, and each wake-up costs more. Parallel
/// branches save the time in which both run.
struct ProcessPlacement {
  let costs: WakeCosts
  private let sideBranches: [Int]
  private let beside: [Int]
  /// The smoothed render times, nanoseconds, by unit.
  private var times: [Double] = []
  /// The indices of the units whose processes run on another processor.
  private(set) var elsewhere: Set<Int> = []

  /// The share of the newest time in the smoothed time.
  private static let smoothing = 0.1
  /// Hysteresis on the additional cost of the wake-ups: a process that moves runs with cold caches.
  private static let margin = 1.5

  /// - Parameters:
  ///   - sideBranches: the indices of units that can run at the same time as others.
  ///   - beside: the indices of those others.
  init(sideBranches: [Int], beside: [Int], costs: WakeCosts) {
    self.sideBranches = sideBranches
    self.beside = beside
    self.costs = costs
  }

  /// Adds the last time of each unit (nanoseconds, 0 for units of the host); returns whether `elsewhere` has
  /// changed.
  mutating func add(_ latest: [Int]) -> Bool {
    if times.count != latest.count { times = latest.map(Double.init) }
    for (index, time) in latest.enumerated() {
      // The first time counts whole.
      let share = times[index] == 0 ? 1 : Self.smoothing
      times[index] += (Double(time) - times[index]) * share
    }
    guard let other = costs.other else { return false }
    func sum(_ units: [Int]) -> Double { units.reduce(0) { $0 + times[$1] } }
    let saved = min(sum(sideBranches), sum(beside))
    // A cycle has a wake-up to the other processor, and a wake-up back.
    let dearer = Double(2 * (other - costs.same))
    let threshold = elsewhere.isEmpty ? dearer * Self.margin : dearer / Self.margin
    let before = elsewhere
    elsewhere = saved > max(threshold, 0) ? Set(sideBranches) : []
    return elsewhere != before
  }
}
