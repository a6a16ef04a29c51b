/// A time in clock notation: `1:30`, `0:02.5`, `1:00:00`.
enum ClockTime {
  /// Parses a clock time; nil if the text is none: minutes and seconds are below 60, and only
  /// seconds have decimals.
  static func seconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      parts.dropLast().allSatisfy({ part in part.allSatisfy { ("0"..."9").contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { part in
      part.first.flatMap { $0 == "+" || $0 == "-" ? nil : WrittenNumber(String(part)) }
    }
    guard numbers.count == parts.count, numbers.allSatisfy({ $0.rest.isEmpty }),
      numbers.dropFirst().allSatisfy({ $0.value < 60 })
    else { return nil }
    return numbers.reduce(0) { $0 * 60 + $1.value }
  }
}
