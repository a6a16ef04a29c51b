import OSC

/// Counts what came over OSC and was of no use, to be told now and then.
struct OSCTally {
  /// Messages taken.
  private(set) var messages = 0
  /// Datagrams that were no OSC.
  private(set) var malformed = 0
  /// Messages that named what is not there, or gave what cannot be.
  private(set) var refused = 0
  /// Messages that came too many at once.
  private(set) var dropped = 0
  private var told = (malformed: 0, refused: 0, dropped: 0)
  /// Of each kind, who sent the last, and what was wrong with it.
  private var last: [(sender: OSCEndpoint, reason: String)?] = [nil, nil, nil]
  private var nextTelling = ContinuousClock.now

  static let interval = Duration.seconds(10)

  mutating func take() { messages += 1 }

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

  /// What is new, a sentence each, the first of its kind at once and then every ten seconds.
  mutating func tell(at now: ContinuousClock.Instant = .now) -> [String] {
    guard now >= nextTelling else { return [] }
    let new = (
      malformed: malformed - told.malformed, refused: refused - told.refused,
      dropped: dropped - told.dropped
    )
    var sentences: [String] = []
    if new.malformed > 0 {
      sentences.append("OSC: \(new.malformed) datagrams were garbage\(last(0))")
    }
    if new.refused > 0 {
      sentences.append("OSC: \(new.refused) messages were refused\(last(1))")
    }
    if new.dropped > 0 {
      sentences.append(
        "OSC: \(new.dropped) messages came too many at once and were left out\(last(2))"
      )
    }
    guard !sentences.isEmpty else { return [] }
    (told, nextTelling) = ((malformed, refused, dropped), now + Self.interval)
    return sentences
  }
}
