/// The tempo of taps: the mean of the last few beats.
struct TapTempo {
  /// Seconds
  private var taps: [Double] = []

  /// A longer pause starts anew; a sooner tap is a bouncing key. Seconds
  private static let longestBeat = 2.5
  private static let shortestBeat = 0.1
  private static let mostTaps = 5

  /// Beats per minute, from the second tap on.
  ///
  /// - Parameter time: of this tap, seconds; by the same clock for all taps.
  mutating func tap(at time: Double) -> Double? {
    if let last = taps.last {
      if time - last < Self.shortestBeat, time >= last { return nil }
      if time - last > Self.longestBeat || time < last { taps = [] }
    }
    taps.append(time)
    if taps.count > Self.mostTaps { taps.removeFirst() }
    guard let first = taps.first, taps.count > 1 else { return nil }
    return 60 * Double(taps.count - 1) / (time - first)
  }
}
