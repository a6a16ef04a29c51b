import Documents
import UnitModel

/// The time of a lane's point as a file writes it: `2.5 s`, `1:30`, `bar 5`, `bar 5 beat 2.5`, `beat 18`.
struct LaneTime: Equatable {
  var clock: PlannedLane.Clock
  /// Seconds, or beats from 0 on; in files, bars and beats count from 1.
  var value: Double

  /// The length of a bar where no timebase master sets it.
  static let beatsPerBar = 4.0
  /// The latest time that is accepted, seconds or beats: longer than any performance.
  private static let latest = 1e6
}

extension LaneTime {
  init(written text: String) throws(Refusal) {
    var words = text.split(separator: " ")[...]
    if let first = words.first, ["bar", "beat"].contains(first) {
      (clock, value) = (.beats, 0)
      for (word, length) in [("bar", Self.beatsPerBar), ("beat", 1)] where words.first == word[...]
      {
        guard let number = words.dropFirst().first.flatMap({ Double($0) }), number >= 1,
          number.isFinite
        else { throw Self.unreadable(text) }
        value += (number - 1) * length
        words = words.dropFirst(2)
      }
      guard words.isEmpty else { throw Self.unreadable(text) }
    } else {
      (clock, value) = (.seconds, try Quantity.number(text, in: .seconds, name: "the time"))
    }
    guard (0...Self.latest).contains(value) else {
      throw Refusal("“\(text)” is not a time: they begin at 0, and bars and beats at 1")
    }
  }

  private static func unreadable(_ text: String) -> Refusal {
    Refusal("“\(text)” is not a time; write it as in 2.5 s, 1:30, bar 5, bar 5 beat 2.5 or beat 18")
  }
}
