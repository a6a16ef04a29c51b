import Glibc

/// Times things against each other: by turns in one run, so that what the machine does besides
/// falls on all of them, and by the median of the turns.
enum Measurement {
  /// Seconds on a clock that nobody sets.
  static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// The medians of what the closures answer, called by turns: A B C, A B C and so on.
  static func interleaved(rounds: Int, _ measures: [() throws -> Double]) throws -> [Double] {
    var results = [[Double]](repeating: [], count: measures.count)
    for _ in 0..<rounds {
      for (index, measure) in measures.enumerated() { results[index].append(try measure()) }
    }
    return results.map(median)
  }

  /// How long a call keeps this thread's processor busy, in seconds: what others do meanwhile does
  /// not count.
  static func seconds(_ work: () -> Void) -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
  }

  /// How long a call takes by the clock, in seconds: other processes that it waits for count.
  static func wallSeconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }
}
