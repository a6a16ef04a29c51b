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
  /// The next or the previous file in the folder of a unit's file: of `amp`, or of its property `cab.b`.
  case file(of: String, isNext: Bool)

  private static let words: [(word: String, command: ControlCommand)] = [
    ("tempo.tap", .tap), ("tap", .tap), ("panic", .panic), ("record", .record),
    ("next song", .nextSong), ("previous song", .previousSong),
  ]

  private static let files = [("next file ", true), ("previous file ", false)]

  /// As a control's target is written; nil for another target.
  public init?(written text: String) {
    if let known = Self.words.first(where: { $0.word == text }) {
      self = known.command
    } else if text.hasPrefix("song "), text.count > 5 {
      self = .song(String(text.dropFirst(5)))
    } else if let (words, isNext) = Self.files.first(where: { text.hasPrefix($0.0) }),
      text.count > words.count
    {
      self = .file(of: String(text.dropFirst(words.count)), isNext: isNext)
    } else {
      return nil
    }
  }

  /// The texts that can be written, for messages and completion.
  public static let texts =
    words.map(\.word) + ["song NAME"] + files.map { "\($0.0)UNIT" }
}

extension ControlCommand: CustomStringConvertible {
  public var description: String {
    if case .song(let name) = self { return "song \(name)" }
    if case .file(let target, let isNext) = self {
      return (isNext ? "next file " : "previous file ") + target
    }
    return Self.words.first { $0.command == self }?.word ?? ""
  }
}
