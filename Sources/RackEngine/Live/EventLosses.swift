/// Counts events that were not played, or late, to be told now and then and never silently lost.
struct EventLosses {
  /// For want of room in the kernel, since the last telling.
  var byKernel = 0
  /// By the kernel, likewise.
  var delayed = 0
  private var byJack = 0
  private var malformed = 0
  /// All that have been told of.
  private(set) var total = EngineSnapshot.EventTotals()
  private var nextTelling = ContinuousClock.now

  /// Forgets what the kernel could not play while there was no server: nothing was to be heard.
  mutating func forgetSilence() { (byKernel, delayed) = (0, 0) }

  /// Has a second passed?
  mutating func isDue() -> Bool {
    guard ContinuousClock.now >= nextTelling else { return false }
    nextTelling = .now + .seconds(1)
    return true
  }

  /// What is new, a sentence each; the arguments count MIDI messages since the client began.
  mutating func tell(lost: Int, malformed: Int) -> [String] {
    let late = delayed
    delayed = 0
    let new = (lost: byKernel + lost - byJack, malformed: malformed - self.malformed)
    (byKernel, byJack, self.malformed) = (0, lost, malformed)
    total.lost += new.lost
    total.late += late
    total.malformed += new.malformed
    var sentences: [String] = []
    if new.lost > 0 { sentences.append("\(new.lost) events came too many at once and were lost") }
    if late > 0 { sentences.append("\(late) events came too many at once and were played late") }
    if new.malformed > 0 {
      sentences.append("\(new.malformed) MIDI messages were garbage and were passed over")
    }
    return sentences
  }
}
