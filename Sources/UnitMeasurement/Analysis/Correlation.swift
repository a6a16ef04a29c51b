/// Pearson's correlation.
enum Correlation {
  /// Returns the coefficient of two series: 1 if one rises as the other does, -1 if it falls so,
  /// and 0 if they have nothing to do with each other.
  static func coefficient(_ a: [Double], _ b: [Double]) -> Double {
    let means = [a, b].map { $0.reduce(0, +) / Double($0.count) }
    let product = zip(a, b).reduce(0.0) { $0 + ($1.0 - means[0]) * ($1.1 - means[1]) }
    let squares = [(a, means[0]), (b, means[1])].map { values, mean in
      values.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    return product / (squares[0] * squares[1]).squareRoot()
  }
}
