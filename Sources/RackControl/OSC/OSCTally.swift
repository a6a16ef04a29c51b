import OSC

/// Counts OSC messages, and reports those that could not be carried out now and then.
struct OSCTally {
  /// Messages received.
  private(set) var messages = 0
  /// Datagrams that were not OSC.
  private(set) var malformed = 0
  /// Messages with an unknown address or a wrong value.
  private(set) var refused = 0
  /// Messages that were dropped because too many came at once.
  private(set) var dropped = 0
  private var reported = (malformed: 0, refused: 0, dropped: 0)
  /// The last sender and reason of each kind.
  private var last: [(sender: OSCEndpoint, reason: String)?] = [nil, nil, nil]
  private var nextReport = ContinuousClock.now

  static let interval = Duration.seconds(10)

  mutating func noteReceived() { messages += 1 }

  mutating func noteMalformed(from sender: OSCEndpoint, _ reason: String) {
    malformed += 1
    last[0] = (sender, reason)
  }

  mutating func noteRefused(from sender: OSCEndpoint, _ reason: String) {
    refused += 1
    last[1] = (sender, reason)
  }

  mutating func noteDropped(from sender: OSCEndpoint) {
    dropped += 1
    last[2] = (sender, "")
  }

  private func last(_ kind: Int) -> String {
    guard let (sender, reason) = last[kind] else { return "" }
    return "; the last from \(sender)" + (reason.isEmpty ? "" : ", \(reason)")
  }

  /// A sentence for each kind with new messages: at once for the first, then every ten seconds.
  mutating func newSentences(at now: ContinuousClock.Instant = .now) -> [String] {
    guard now >= nextReport else { return [] }
    let new = (
      malformed: malformed - reported.malformed, refused: refused - reported.refused,
      dropped: dropped - reported.dropped
    )
    var sentences: [String] = []
    if new.malformed > 0 {
      sentences.append("OSC: \(new.malformed) datagrams were not OSC\(last(0))")
    }
    if new.refused > 0 {
      sentences.append("OSC: \(new.refused) messages were refused\(last(1))")
    }
    if new.dropped > 0 {
      sentences.append(
        "OSC: \(new.dropped) messages were dropped: too many at once\(last(2))"
      )
    }
    guard !sentences.isEmpty else { return [] }
    (reported, nextReport) = ((malformed, refused, dropped), now + Self.interval)
    return sentences
  }
}
