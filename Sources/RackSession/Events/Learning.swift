/// The state of a MIDI learn.
public struct Learning: RackEvent, Equatable {
  public static let name = "learning"
  /// The target of the control: `echo.mix`.
  public var to: String
  /// What was assigned, `echo.mix follows keys cc 7 channel 1`; nil before a control is found.
  public var done: String?
  /// The reason why nothing was mapped; nil without an error.
  public var error: String?

  public var key: String { "learning \(to)" }
  public var lines: [String] { ["learn  \(self)"] }
}

extension Learning: CustomStringConvertible {
  public var description: String { done ?? "\(to): \(error ?? "listening")" }
}
