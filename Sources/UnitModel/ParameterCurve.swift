import Documents

/// The curve of a knob from a parameter's minimum to its maximum.
public enum ParameterCurve: UInt32, Sendable, CaseIterable, Codable {
  case linear
  /// Equal ratios for equal travel; the minimum is above 0.
  case logarithmic
  /// Fine at the low end; the range may start at 0.
  case squared
}

/// The words of rack files.
extension ParameterCurve: WordValue {
  package static var kind: String { "a curve" }
  package static var all: [ParameterCurve] { allCases }
  public var description: String {
    switch self {
    case .linear: "linear"
    case .logarithmic: "log"
    case .squared: "square"
    }
  }
}
