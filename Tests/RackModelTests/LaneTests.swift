import Documents
import Testing
import UnitModel

@testable import RackModel

/// Lanes as values: times, pieces, and what is recorded.
struct LaneTests {
  @Test func timesAreReadAsPeopleWriteThem() throws {
    let seconds = ["2.5 s": 2.5, "250 ms": 0.25, "1:30": 90, "0": 0, "3": 3]
    for (text, time) in seconds { #expect(try LaneTime(written: text) == .seconds(time)) }
    let beats = ["bar 1": 0.0, "bar 5": 16, "bar 2 beat 2.5": 5.5, "beat 1": 0, "beat 18": 17]
    for (text, time) in beats { #expect(try LaneTime(written: text) == .beats(time)) }
    for text in ["", "bar", "bar 0", "beat x", "bar 2 beat", "bar 1 2", "-1 s", "1e9 s", "soon"] {
      #expect(throws: Refusal.self, "\(text)") { try LaneTime(written: text) }
    }
  }

  private let level = ParameterInfo(
    identifier: "gain", name: "Gain", unit: .decibels, minimum: -60, maximum: 24, defaultValue: 0,
    flags: [.default, .rampable])

  private func lane(_ points: (Double, Float)...) -> PlannedLane {
    PlannedLane(
      target: .bypass(unit: 0), clock: .seconds, curve: .along(.linear),
      points: points.map { .init(time: $0.0, value: $0.1) }, info: level)
  }

  /// The way from where somebody jumped begins behind the jump.
  @Test func aJumpIsWholeBeforeTheWayGoesOn() {
    let pieces = lane((1, -6), (2, -6), (2, 0), (4, -20)).pieces(jump: 0.5)
    #expect(
      pieces == [
        .init(start: 1, end: 2, from: -6, to: -6), .init(start: 2, end: 2, from: -6, to: -5),
        .init(start: 2.5, end: 4, from: -5, to: -20),
      ])
    #expect(lane((3, 1)).pieces(jump: 0.5) == [.init(start: 3, end: 3, from: 1, to: 1)])
  }

  /// Moves with pauses, one that ends another on its way, and one after the transport went back.
  @Test func movesBecomeALaneThatMakesThem() throws {
    var lane = RecordedLane(ParameterPath(unit: "a", keyPath: "gain"), info: level)
    lane.move(at: 1, from: 0, to: -6, ramp: 0.1)
    lane.move(at: 2, from: -6, to: -12, ramp: 1)
    lane.move(at: 2.5, from: -12, to: 0, ramp: 0)
    #expect(
      lane.writtenPoints == [
        "0 dB @ 1.0 s", "-6 dB @ 1.1 s", "-6 dB @ 2.0 s", "-9 dB @ 2.5 s", "0 dB @ 2.5 s",
      ])
    lane.move(at: 1.5, from: 0, to: 3, ramp: 0.5)
    #expect(
      lane.writtenPoints == [
        "0 dB @ 1.0 s", "-6 dB @ 1.1 s", "-6 dB @ 1.5 s", "3 dB @ 2.0 s",
      ])
    let text = try AutomationFile.text(of: [lane])
    let (lanes, problems) = AutomationFile.parse(text.utf8, file: "a.yaml")
    #expect(problems.isEmpty && lanes.map(\.target.value) == ["a.gain"])
    #expect(lanes.first?.points.map(\.value) == lane.writtenPoints)
  }
}
