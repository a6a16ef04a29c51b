import Foundation

/// A number measured from a unit's renderings, with its allowed range.
package struct Figure: Sendable {
  /// The figure's name; "Gain at the cutoff".
  package let name: String
  /// The unit, "dB"; empty for a number without a unit.
  package let unit: String
  package let goal: ClosedRange<Double>
  /// The same figure of the best comparable unit elsewhere, as text.
  package let peer: String?
  /// Whether it takes more than about a second in a debug build; then only `make measure` measures
  /// it.
  package let isLong: Bool
  private let measure: @Sendable (BuiltInUnit) throws -> Double

  package init(
    _ name: String, in unit: String, _ goal: ClosedRange<Double>, peer: String? = nil,
    isLong: Bool = false, measure: @escaping @Sendable (BuiltInUnit) throws -> Double
  ) {
    (self.name, self.unit, self.goal) = (name, unit, goal)
    (self.peer, self.isLong, self.measure) = (peer, isLong, measure)
  }

  /// Measures a unit; returns NaN if any sound that it rendered meanwhile had NaN or infinity.
  package func value(of unit: BuiltInUnit) throws -> Double {
    let watch = OutputWatch()
    let value = try UnitHost.$watch.withValue(watch) { try measure(unit) }
    return watch.hasFailed ? .nan : value
  }

  /// Whether a value meets the goal; neither NaN nor infinity does.
  package func isMet(by value: Double) -> Bool { value.isFinite && goal.contains(value) }

  /// Returns a value with four digits; "-3.01 dB".
  package func text(_ value: Double) -> String { written(value, digits: 4) }

  package var goalText: String {
    if goal.lowerBound == -.infinity { return "≤ \(written(goal.upperBound, digits: 6))" }
    if goal.upperBound == .infinity { return "≥ \(written(goal.lowerBound, digits: 6))" }
    if goal.lowerBound == goal.upperBound { return written(goal.upperBound, digits: 6) }
    let middle = (goal.lowerBound + goal.upperBound) / 2
    let error = String(format: "%.3g", goal.upperBound - middle)
    return "\(String(format: "%.6g", middle)) ± \(error) \(unit)"
  }

  private func written(_ value: Double, digits: Int) -> String {
    let number = abs(value) < 5e-5 ? "0" : String(format: "%.\(digits)g", value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}

extension ClosedRange<Double> {
  package static func atMost(_ bound: Double) -> Self { -.infinity...bound }
  package static func atLeast(_ bound: Double) -> Self { bound ... .infinity }
  package static func near(_ value: Double, within error: Double) -> Self {
    value - error...value + error
  }
}
