import Documents

/// What a control moves and how, in the words of a rack file's `controls`.
public struct ControlSettings: Sendable, Equatable {
  /// `echo.mix`, `echo.bypass`, `scene lead`
  public var to: String
  /// Two values with a comma between: `5 Hz, 80 Hz`.
  public var range: String?
  public var curve: String?
  public var mode: String?
  public var picksUp: Bool?

  public init(
    to: String, range: String? = nil, curve: String? = nil, mode: String? = nil,
    picksUp: Bool? = nil
  ) {
    (self.to, self.range, self.curve, self.mode) = (to, range, curve, mode)
    self.picksUp = picksUp
  }
}

extension ControlSettings {
  /// As a rack file would have it.
  func entry(from source: String) throws(Refusal) -> ControlEntry {
    var entry = ControlEntry(position: SourcePosition(line: 0, column: 0))
    entry.source = .edited(source)
    entry.target = .edited(to)
    if let range {
      let ends = range.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.split(separator: " ").joined(separator: " ")
      }
      guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty }) else {
        throw Refusal("“range” is two values with a comma between, as in 5 Hz, 80 Hz")
      }
      entry.range = ends.map { .edited($0) }
    }
    entry.curve = curve.map { .edited($0) }
    entry.mode = mode.map { .edited($0) }
    entry.picksUp = picksUp.map { .edited($0) }
    return entry
  }
}
