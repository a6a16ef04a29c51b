/// Counts faults that can occur in every cycle, to report them together, once a second at most.
struct FaultTally {
  /// The events that were lost, and those that were played late, since the last report.
  var lostEvents = 0
  var delayedEvents = 0
  /// The totals of all reported events.
  private(set) var events = EngineSnapshot.EventTotals()
  private var absences: [String: Int] = [:]
  private var worstCycle: LateCycle?
  private var reportedXruns = 0
  private var reportedMIDI = (lost: 0, malformed: 0)
  private var nextReport: ContinuousClock.Instant?

  /// Adds the cycle of an xrun; the cycle in which the rack took longest is reported.
  mutating func add(_ cycle: LateCycle) {
    if cycle.nanoseconds >= worstCycle?.nanoseconds ?? 0 { worstCycle = cycle }
  }

  mutating func addAbsences(of unit: String, count: Int) { absences[unit, default: 0] += count }

  /// Removes and returns the events to be reported now.
  ///
  /// - Parameters:
  ///   - xruns: JACK's count since the engine started.
  ///   - midi: the numbers of MIDI messages that the JACK client has dropped since the engine started.
  ///   - recording: the recording under way, whose new drop-outs are reported.
  mutating func popEvents(
    xruns: Int, midi: (lost: Int, malformed: Int)? = nil, recording: Recording? = nil,
    at now: ContinuousClock.Instant = .now
  ) -> [EngineEvent] {
    if let nextReport, now < nextReport { return [] }
    var reports: [EngineEvent] = []
    if xruns > reportedXruns {
      reports.append(.xrun(total: xruns, worst: worstCycle))
      (reportedXruns, worstCycle) = (xruns, nil)
    }
    reports += absences.sorted { $0.key < $1.key }.map { .unit($0, .late(times: $1)) }
    absences = [:]
    reports += popLosses(midi ?? reportedMIDI).map { .warning($0) }
    if let dropOuts = recording?.popDropOuts() { reports.append(.warning(dropOuts)) }
    if !reports.isEmpty { nextReport = now + .seconds(1) }
    return reports
  }

  private mutating func popLosses(_ midi: (lost: Int, malformed: Int)) -> [String] {
    let lost = lostEvents + midi.lost - reportedMIDI.lost
    let malformed = midi.malformed - reportedMIDI.malformed
    let late = delayedEvents
    (lostEvents, delayedEvents, reportedMIDI) = (0, 0, midi)
    events.lost += lost
    events.late += late
    events.malformed += malformed
    var sentences: [String] = []
    if lost > 0 { sentences.append("too many events at once: \(lost) lost") }
    if late > 0 { sentences.append("too many events at once: \(late) played late") }
    if malformed > 0 {
      sentences.append("\(malformed) MIDI messages were invalid and were ignored")
    }
    return sentences
  }
}
