import Documents

/// A name in a chain as written: `NAME` or `NAME.BUS`, and after it `channel 2`, `notes C3..B4` or both,
/// which limit the cable.
struct ChainName {
  /// The name with its bus.
  let path: String
  /// The text after `channel`.
  private(set) var channel: String?
  /// The text after `notes`.
  private(set) var notes: String?

  init(_ text: String) {
    var words = text.split(separator: " ")
    while words.count > 2 {
      if words[words.count - 2] == "channel", channel == nil {
        channel = String(words[words.count - 1])
      } else if words[words.count - 2] == "notes", notes == nil {
        notes = String(words[words.count - 1])
      } else {
        break
      }
      words.removeLast(2)
    }
    path = words.last.map { String(text[..<$0.endIndex]) } ?? text
  }

  var hasLimits: Bool { channel != nil || notes != nil }

  /// Returns the limits as a filter, the channel from 1 to 32.
  ///
  /// - Throws: `Refusal` where `channel` is not a channel, or `notes` not a range of notes.
  func filter() throws(Refusal) -> MIDIFilter {
    var filter = MIDIFilter()
    if let channel {
      filter.channel = try ControlSource.number(Substring(channel), in: 1...32, of: "channel")
    }
    if let notes { filter.notes = try Self.range(notes) }
    return filter
  }

  /// Reads a range of keys: `C3..B4`, `C4..`, `..B3` or `C4`.
  private static func range(_ text: String) throws(Refusal) -> ClosedRange<Int> {
    let ends = text.split(separator: ".", omittingEmptySubsequences: false)
    guard ends.count == 3, ends[1].isEmpty, ends[0] != ends[2] || !ends[0].isEmpty else {
      let key = try ControlSource.key(Substring(text))
      return key...key
    }
    let lowest = ends[0].isEmpty ? 0 : try ControlSource.key(ends[0])
    let highest = ends[2].isEmpty ? 127 : try ControlSource.key(ends[2])
    guard lowest <= highest else {
      throw Refusal(
        "the lower key comes first", suggestion: "notes \(ends[2])..\(ends[0])")
    }
    return lowest...highest
  }
}
