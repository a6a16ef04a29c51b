/// How far measured values lie from those of a formula.
package enum Deviation {
  /// Returns the largest magnitude of the differences; infinity if one of them is no number, or if
  /// there are none.
  package static func worst(_ differences: some Sequence<Double>) -> Double {
    var worst = -Double.infinity
    for difference in differences {
      if difference.isNaN { return .infinity }
      worst = max(worst, abs(difference))
    }
    return worst < 0 ? .infinity : worst
  }

  /// Returns the largest difference of a signal's samples from the values expected at their
  /// indices.
  package static func worst<Signal: Collection<Float>>(
    of signal: Signal, from expected: (Signal.Index) -> Double
  ) -> Double {
    worst(signal.indices.map { Double(signal[$0]) - expected($0) })
  }

  /// Returns the largest difference of two signals' samples; infinity if one is longer.
  package static func worst(of signal: [Float], from expected: [Float]) -> Double {
    guard signal.count == expected.count else { return .infinity }
    return worst(zip(signal, expected).map { Double($0) - Double($1) })
  }

  /// Returns the largest difference of a signal's samples from expected values; infinity if there
  /// are more or fewer of them.
  package static func worst(of signal: [Float], from expected: [Double]) -> Double {
    guard signal.count == expected.count else { return .infinity }
    return worst(zip(signal, expected).map { Double($0) - $1 })
  }
}

extension Sequence<Double> {
  /// The largest magnitude, as `Deviation.worst`.
  package var worst: Double { Deviation.worst(self) }
}

extension [Float] {
  /// Returns the number of frames that differ from those of another signal, or that it has alone.
  func differences(from other: [Float]) -> Double {
    Double(zip(self, other).count { $0 != $1 } + abs(count - other.count))
  }
}
