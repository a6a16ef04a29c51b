import Documents
import Foundation
import Testing
import UnitModel

@testable import RackModel

/// Lanes as values: times, pieces and recorded points.
struct LaneTests {
  @Test func timesAreReadAsPeopleWriteThem() throws {
    let seconds = ["2.5 s": 2.5, "250 ms": 0.25, "1:30": 90, "0": 0, "3": 3]
    for (text, time) in seconds {
      #expect(try LaneTime(written: text) == LaneTime(clock: .seconds, value: time))
    }
    let beats = ["bar 1": 0.0, "bar 5": 16, "bar 2 beat 2.5": 5.5, "beat 1": 0, "beat 18": 17]
    for (text, time) in beats {
      #expect(try LaneTime(written: text) == LaneTime(clock: .beats, value: time))
    }
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

  /// A ramp that starts with a jump starts after the jump.
  @Test func aJumpIsWholeBeforeTheWayGoesOn() {
    let pieces = lane((1, -6), (2, -6), (2, 0), (4, -20)).pieces(jump: 0.5)
    #expect(
      pieces == [
        .init(start: 1, end: 2, from: -6, to: -6), .init(start: 2, end: 2, from: -6, to: -5),
        .init(start: 2.5, end: 4, from: -5, to: -20),
      ])
    #expect(lane((3, 1)).pieces(jump: 0.5) == [.init(start: 3, end: 3, from: 1, to: 1)])
  }

  /// A cent is the smallest interval that anybody can distinguish.
  @Test(arguments: [0.1, 8.0]) func aLogarithmicLaneIsWithinACentOfItsCurve(length: Double) {
    var info = level
    (info.minimum, info.maximum, info.curve) = (20, 20_000, .logarithmic)
    let lane = PlannedLane(
      target: .bypass(unit: 0), clock: .seconds, curve: .along(.logarithmic),
      points: [.init(time: 0, value: 20), .init(time: length, value: 20_000)], info: info)
    var worst = 0.0
    for piece in lane.pieces(jump: 0.005, frame: 1 / 48_000) where piece.end > piece.start {
      for step in 0...8 {
        let share = Double(step) / 8
        let time = piece.start + (piece.end - piece.start) * share
        let value = Double(piece.from) + Double(piece.to - piece.from) * share
        worst = max(worst, abs(1200 * log2(value / (20 * pow(1000, time / length)))))
      }
    }
    #expect(worst < 1, "\(worst)")
  }

  /// Further digits are inaudible and hard to read.
  @Test func figuresAreShort() {
    func written(_ value: Float, at time: Double, _ info: ParameterInfo) -> String? {
      var lane = RecordedLane(ParameterPath(unit: "a", keyPath: "b"), info: info)
      lane.move(at: time, from: value, to: value, ramp: 0)
      return lane.writtenPoints.first
    }
    func info(_ unit: ParameterUnit, _ minimum: Float, _ maximum: Float) -> ParameterInfo {
      ParameterInfo(
        identifier: "b", name: "B", unit: unit, minimum: minimum, maximum: maximum,
        defaultValue: minimum)
    }
    let gain = info(.decibels, -60, 24)
    #expect(written(-11.858269, at: 90.77302083333333, gain) == "-11.858 dB @ 90.773021 s")
    #expect(written(0.00012345678, at: 1, gain) == "0.00012 dB @ 1 s")
    #expect(written(24, at: 1, gain) == "24 dB @ 1 s")
    #expect(written(24, at: 0.00001, gain) == "24 dB @ 0.00001 s")
    #expect(written(12_345.678, at: 0.5, info(.hertz, 20, 20_000)) == "12.346 kHz @ 0.5 s")
    #expect(written(1.0 / 3, at: 0.5, info(.pan, -1, 1)) == "R33.333 @ 0.5 s")
    #expect(written(123_456, at: 0.5, info(.generic, 0, 1e6)) == "123460 @ 0.5 s")
  }

  /// Moves with pauses, a move that interrupts another, and a move after the transport went back.
  @Test func movesBecomeALaneThatMakesThem() throws {
    var lane = RecordedLane(ParameterPath(unit: "a", keyPath: "gain"), info: level)
    lane.move(at: 1, from: 0, to: -6, ramp: 0.1)
    lane.move(at: 2, from: -6, to: -12, ramp: 1)
    lane.move(at: 2.5, from: -12, to: 0, ramp: 0)
    #expect(
      lane.writtenPoints == [
        "0 dB @ 1 s", "-6 dB @ 1.1 s", "-6 dB @ 2 s", "-9 dB @ 2.5 s", "0 dB @ 2.5 s",
      ])
    lane.move(at: 1.5, from: 0, to: 3, ramp: 0.5)
    #expect(
      lane.writtenPoints == [
        "0 dB @ 1 s", "-6 dB @ 1.1 s", "-6 dB @ 1.5 s", "3 dB @ 2 s",
      ])
    let text = AutomationFile.text(of: [lane])
    let (lanes, problems) = AutomationFile.parse(text.utf8, file: "a.yaml")
    #expect(problems.isEmpty && lanes.map(\.target.value) == ["a.gain"])
    #expect(lanes.first?.points.map(\.value) == lane.writtenPoints)
  }

  /// Returns the value of a lane at a time.
  private func value(of points: ArraySlice<PlannedLane.Point>, at time: Double) -> Float {
    guard let next = points.firstIndex(where: { $0.time >= time }) else {
      return points.last?.value ?? 0
    }
    let (before, after) = (points[max(next - 1, points.startIndex)], points[next])
    guard after.time > before.time else { return after.value }
    let share = Float((time - before.time) / (after.time - before.time))
    return before.value + share * (after.value - before.value)
  }

  /// A pedal that sends a hundred values a second for twelve minutes, first slowly and then fast.
  @Test func ofAPedalsStepsAStraightWayIsLeft() throws {
    var lane = RecordedLane(ParameterPath(unit: "level", keyPath: "gain"), info: level)
    let ramp = 241.0 / 48_000
    var moves: [(time: Double, value: Float)] = []
    var before: Float = 0
    for step in 0..<72_000 {
      let time = Double(step) / 100
      let turns = step < 36_000 ? time / 20 : time
      // The value in steps of 7 bits.
      let value = Float((64 + 60 * sin(2 * Double.pi * turns)).rounded() / 127) * 84 - 60
      guard value != before else { continue }
      lane.move(at: time, from: before, to: value, ramp: ramp)
      moves.append((time, value))
      before = value
    }
    let rack = try #require(Self.open().rack)
    let (entries, problems) = AutomationFile.parse(
      AutomationFile.text(of: [lane]).utf8, file: "moves.yaml")
    let (automated, findings) = Self.checker.adding(entries, from: "moves.yaml", to: rack)
    #expect(problems.isEmpty && findings.isEmpty)
    let points = try #require(automated?.plan.automation.first?.points)
    #expect(points.count < 20_000 && moves.count > 32_768, "\(points.count) of \(moves.count)")
    // The lane has each value at most 5 ms early or late.
    var first = 0
    let some = moves.indices.filter { $0 % 7 == 0 }.map { moves[$0] }
    let wrong = some.first { move in
      while first + 2 < points.count, points[first + 1].time < move.time - 0.01 { first += 1 }
      let near = points[first..<min(first + 16, points.count)]
      let values = (-10...10).map {
        value(of: near, at: move.time + ramp + Double($0) * 0.0005)
      }
      let beside = max((values.min() ?? 0) - move.value, move.value - (values.max() ?? 0))
      return beside > 84 / 4096 + 1e-4
    }
    #expect(wrong == nil)
  }

  /// A switch keeps its time, however soon the next follows; so does a parameter that cannot ramp.
  @Test func switchesHold() throws {
    let shape = ParameterInfo(
      identifier: "shape", name: "Shape", unit: .indexed, minimum: 0, maximum: 2, defaultValue: 0,
      valueStrings: ["Sine", "Triangle", "Square"])
    var lane = RecordedLane(ParameterPath(unit: "a", keyPath: "shape"), info: shape)
    lane.move(at: 1, from: 0, to: 2, ramp: 0)
    lane.move(at: 1.002, from: 2, to: 1, ramp: 0)
    lane.move(at: 3, from: 1, to: 1, ramp: 0)
    #expect(lane.writtenPoints == ["Sine @ 1 s", "Square @ 1 s", "Triangle @ 1.002 s"])
    #expect(!AutomationFile.text(of: [lane]).contains("curve"))
    var stepped = level
    stepped.flags = [.readable, .writable]
    var steps = RecordedLane(ParameterPath(unit: "a", keyPath: "gain"), info: stepped)
    steps.move(at: 1, from: 0, to: -6, ramp: 0)
    #expect(steps.writtenPoints == ["0 dB @ 1 s", "-6 dB @ 1 s"])
    #expect(AutomationFile.text(of: [steps]).contains("curve: hold"))
  }

  private static var checker: RackChecker {
    RackChecker(catalogue: TestCatalogue.units, folder: "/", fileExists: { _ in false })
  }

  private static func open() -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let text = """
      rack: Lanes
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln } }
      connections: [ in -> level -> out ]
      """
    return checker.open(Array(text.utf8), file: "rack.yaml")
  }

  /// One file may contain the recordings of several racks.
  @Test func lanesOfWhatIsNotThereAreLeftOut() throws {
    let rack = try #require(Self.open().rack)
    func add(_ text: String) -> (rack: CheckedRack?, findings: [String]) {
      let (lanes, _) = AutomationFile.parse(text.utf8, file: "moves.yaml")
      let (rack, diagnostics) = Self.checker.adding(lanes, from: "moves.yaml", to: rack)
      return (rack, diagnostics.map(\.description))
    }
    let some = add(
      """
      automation:
        echo.mix: [10 % @ 0 s]
        echo.time: [1 s @ 0 s]
        level.drive: [10 dB @ 0 s]
        level.gain: [-6 dB @ 0 s]
      """)
    let rest = "what the file has of it is left out"
    #expect(
      some.findings == [
        "moves.yaml:2:3: warning: there is no unit “echo” in this rack; \(rest)",
        "moves.yaml:4:3: warning: “level” has no parameter “drive”; \(rest)",
      ])
    #expect(some.rack?.plan.automation.map(\.points.count) == [1])
    let none = add("automation: { leve.gain: [-6 dB @ 0 s] }")
    #expect(none.rack == nil)
    #expect(
      none.findings == [
        "moves.yaml:1:15: error: there is no unit “leve” in this rack; did you mean “level”?"
      ])
  }
}
