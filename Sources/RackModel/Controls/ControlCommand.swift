/// A command that a control can call, besides scenes.
public enum ControlCommand: Sendable, Equatable {
  /// Taps the tempo.
  case tap
  /// Ends all notes.
  case panic
  /// Starts or ends a recording.
  case record
  case nextSong
  case previousSong
  /// By its name or its number in the set list.
  case song(String)

  private static let words: [(word: String, command: ControlCommand)] = [
    ("tempo.tap", .tap), ("tap", .tap), ("panic", .panic), ("record", .record),
    ("next song", .nextSong), ("previous song", .previousSong),
  ]

  /// As a control's target is written; nil for another target.
  public init?(written text: String) {
    if let known = Self.words.first(where: { $0.word == text }) {
      self = known.command
    } else if text.hasPrefix("song "), text.count > 5 {
      self = .song(String(text.dropFirst(5)))
    } else {
      return nil
    }
  }

  /// The texts that can be written, for messages and completion.
  public static let texts = words.map(\.word) + ["song NAME"]
}

extension ControlCommand: CustomStringConvertible {
  public var description: String {
    if case .song(let name) = self { return "song \(name)" }
    return Self.words.first { $0.command == self }?.word ?? ""
  }
}
