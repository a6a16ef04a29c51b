/// The peaks of a rack's meters over the last seconds, for any number of readers.
struct PeakHistory {
  /// The peaks of past intervals, with the time at which each ended, frames; oldest first.
  private var intervals: [(end: Int64, peaks: [Float])] = []
  private var present: [Float]

  private static let maximumIntervals = 100

  init(count: Int = 0) { present = Array(repeating: 0, count: count) }

  mutating func add(_ peak: Float, at index: Int) {
    if present.indices.contains(index) { present[index] = max(present[index], peak) }
  }

  mutating func endInterval(at time: Int64) {
    intervals.append((time, present))
    if intervals.count > Self.maximumIntervals { intervals.removeFirst() }
    for index in present.indices { present[index] = 0 }
  }

  /// Returns the largest peaks since a time, frames; nil: since the start of the last interval.
  func peaks(since time: Int64?) -> [Float] {
    var peaks = present
    let count = time.map { time in intervals.reversed().prefix { $0.end > time }.count } ?? 1
    for interval in intervals.suffix(count) {
      for index in peaks.indices { peaks[index] = max(peaks[index], interval.peaks[index]) }
    }
    return peaks
  }
}
