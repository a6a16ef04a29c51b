/// The tempo of taps: the mean of the last few beats.
struct TapTempo {
  /// The times of the last taps, seconds.
  private var taps: [Double] = []

  /// The range of a beat, seconds: a longer pause starts a new series, a sooner tap is a bouncing key.
  private static let longestBeat = 2.5
  private static let shortestBeat = 0.1
  private static let maximumTaps = 5

  /// Counts a tap; returns the tempo in beats per minute, or nil for a first tap or a bouncing key.
  ///
  /// - Parameter time: the time of the tap, seconds, by the same clock for all taps.
  mutating func tap(at time: Double) -> Double? {
    if let last = taps.last {
      if time - last < Self.shortestBeat, time >= last { return nil }
      if time - last > Self.longestBeat || time < last { taps = [] }
    }
    taps.append(time)
    if taps.count > Self.maximumTaps { taps.removeFirst() }
    guard let first = taps.first, taps.count > 1 else { return nil }
    return 60 * Double(taps.count - 1) / (time - first)
  }
}
