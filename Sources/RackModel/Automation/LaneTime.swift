import UnitModel

/// When a point of a lane is, as people write it: `2.5 s`, `1:30`, `bar 5`, `bar 5 beat 2.5`, `beat 18`.
enum LaneTime: Equatable {
  case seconds(Double)
  /// Beats from 0 on; in files, bars and beats count from 1.
  case beats(Double)

  /// Where no timebase master sets it.
  static let beatsPerBar = 4.0
  /// Longer than any performance. Seconds, or beats
  private static let latest = 1e6

  init(written text: String) throws(Refusal) {
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first, first == "bar" || first == "beat" else {
      do {
        self = .seconds(
          try Self.checked(Quantity.number(text, in: .seconds, name: "the time"), text))
      } catch let error as QuantityError {
        throw Refusal(error.description, suggestion: error.suggestion)
      } catch let error as Refusal {
        throw error
      } catch {
        throw Refusal("\(error)")
      }
      return
    }
    var beats = 0.0
    var rest = words[...]
    if first == "bar" {
      beats = (try Self.number(rest.dropFirst().first, text) - 1) * Self.beatsPerBar
      rest = rest.dropFirst(2)
    }
    if rest.first == "beat" {
      beats += try Self.number(rest.dropFirst().first, text) - 1
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty else { throw Self.unreadable(text) }
    self = .beats(try Self.checked(beats, text))
  }

  private static func number(_ word: String?, _ text: String) throws(Refusal) -> Double {
    guard let word, let number = Double(word), number >= 1, number.isFinite else {
      throw unreadable(text)
    }
    return number
  }

  private static func checked(_ time: Double, _ text: String) throws(Refusal) -> Double {
    guard (0...latest).contains(time) else {
      throw Refusal("“\(text)” is not a time: they begin at 0, and bars and beats at 1")
    }
    return time
  }

  private static func unreadable(_ text: String) -> Refusal {
    Refusal("“\(text)” is not a time; write it as in 2.5 s, 1:30, bar 5, bar 5 beat 2.5 or beat 18")
  }
}
