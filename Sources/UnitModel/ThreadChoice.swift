import Documents

/// The threads that render a rack.
public enum ThreadChoice: Hashable, Sendable {
  /// As many threads as there are processors, as long as they save more time than they cost.
  case automatic
  /// A fixed number of threads.
  case number(Int)

  public static let numbers = 1...16

  /// Parses the form of rack files: `auto` or a number.
  public init(written text: String) throws(Refusal) {
    if text == "auto" {
      self = .automatic
    } else if let number = Int(text) {
      guard Self.numbers.contains(number) else {
        throw Refusal(
          "\(text) threads are out of range (\(Self.numbers.lowerBound) to "
            + "\(Self.numbers.upperBound))")
      }
      self = .number(number)
    } else {
      throw Refusal(
        "“\(text)” is not a number of threads; write auto or a number",
        suggestion: nearestWord(to: text, in: ["auto"]))
    }
  }

  /// Returns the number of threads on a machine with this many processors.
  public func count(processors: Int) -> Int {
    switch self {
    case .automatic: min(processors, Self.numbers.upperBound)
    case .number(let number): number
    }
  }
}

extension ThreadChoice: WrittenValue {
  public var description: String {
    switch self {
    case .automatic: "auto"
    case .number(let number): "\(number)"
    }
  }
}
