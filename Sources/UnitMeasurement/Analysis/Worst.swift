extension Sequence<Double> {
  /// The error that is farthest from 0; not a number if there is none.
  package var worst: Double { self.max { abs($0) < abs($1) } ?? .nan }
}

extension [Float] {
  /// Returns the number of frames that differ from those of another signal, or that it has alone.
  func differences(from other: [Float]) -> Double {
    Double(zip(self, other).count { $0 != $1 } + abs(count - other.count))
  }
}
