extension Sequence<Double> {
  /// The error that is farthest from 0; not a number if there is none.
  package var worst: Double { self.max { abs($0) < abs($1) } ?? .nan }
}
