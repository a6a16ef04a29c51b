import Documents

/// The processor that renders units in other processes.
public enum ProcessorChoice: Hashable, Sendable {
  /// A processor chosen by the time that it takes to wake a process on each.
  case automatic
  /// The processor of the rack's render thread.
  case same
  /// Any but the processor of the rack's render thread.
  case other
  /// The processor with this number.
  case number(Int)

  /// The possible processor numbers.
  public static let numbers = 0...1023

  /// Parses the form of rack files: `auto`, `same`, `other`, or a number.
  public init(written text: String) throws(Refusal) {
    let words: [String: ProcessorChoice] = ["auto": .automatic, "same": .same, "other": .other]
    if let choice = words[text] {
      self = choice
    } else if let number = Int(text) {
      guard Self.numbers.contains(number) else {
        throw Refusal(
          "there is no processor \(text); they are numbered from \(Self.numbers.lowerBound) to at "
            + "most \(Self.numbers.upperBound)")
      }
      self = .number(number)
    } else {
      throw Refusal(
        "“\(text)” is not a processor; write auto, same, other or a number",
        suggestion: nearestWord(to: text, in: words.keys.sorted()))
    }
  }
}

extension ProcessorChoice: WrittenValue {
  public var description: String {
    switch self {
    case .automatic: "auto"
    case .same: "same"
    case .other: "other"
    case .number(let number): "\(number)"
    }
  }
}
