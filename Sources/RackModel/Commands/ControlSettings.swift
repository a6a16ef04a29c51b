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
  /// What a command that makes a control may have besides.
  static let optionalWords = ["range", "curve", "mode", "pick_up"]

  init(_ arguments: [String: String]) throws(Refusal) {
    self.init(
      to: arguments["to"] ?? "", range: arguments["range"], curve: arguments["curve"],
      mode: arguments["mode"], picksUp: try arguments["pick_up"].map(Self.boolean))
  }

  private static func boolean(_ text: String) throws(Refusal) -> Bool {
    switch text {
    case "true", "on", "yes", "1": return true
    case "false", "off", "no", "0": return false
    default: throw Refusal("“pick_up” is true or false, not “\(text)”")
    }
  }

  var arguments: [String: String] {
    var arguments = ["to": to]
    arguments["range"] = range
    arguments["curve"] = curve
    arguments["mode"] = mode
    arguments["pick_up"] = picksUp.map { "\($0)" }
    return arguments
  }

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
