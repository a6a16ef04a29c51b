import Glibc

/// Times several programs or functions in turns within one run, so that other load on the machine
/// falls on all of them, and reports medians.
enum Measurement {
  /// Whether every part runs once with small inputs (`--short`): the figures mean nothing, but a part
  /// that cannot be measured any more is found.
  static let isShort = CommandLine.arguments.contains("--short")

  /// The usual number of repetitions, frames or seconds, or the number for the short form.
  static func amount<Number>(_ usual: Number, short: Number) -> Number { isShort ? short : usual }

  /// Seconds on a monotonic clock, or on another clock.
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

  /// The medians of the closures' results, called in turns: A B C, A B C and so on.
  static func interleaved(rounds: Int, _ measures: [() throws -> Double]) throws -> [Double] {
    var results = [[Double]](repeating: [], count: measures.count)
    for _ in 0..<amount(rounds, short: 1) {
      for (index, measure) in measures.enumerated() { results[index].append(try measure()) }
    }
    return results.map(median)
  }

  /// The processor time of this thread that a call takes, in seconds.
  static func seconds(_ work: () -> Void) -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
  }

  /// The elapsed time of a call in seconds, including that of processes that it waits for.
  static func wallSeconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }
}
