import RackModel
import Testing

@testable import RackEngine
@testable import RackSession

/// The undo history.
struct HistoryTests {
  private let start = ContinuousClock.now
  private let mix = ParameterPath(unit: "echo", keyPath: "mix")

  private func values(_ entry: History.Entry?) -> [Float]? {
    guard case .values(let values) = entry?.step else { return nil }
    return values.flatMap { [$0.before, $0.after] }
  }

  @Test func aMovementOfAHandIsOneStep() {
    var history = History()
    for turn in 0..<100 {
      history.add(
        .value(mix, before: Float(turn), after: Float(turn + 1)), title: "set", isGesture: true,
        at: start + .milliseconds(turn * 900))
    }
    #expect(values(history.last) == [0, 100])
    history.stepBack()
    #expect(history.last == nil && values(history.next) == [0, 100])
  }

  /// The moves come as from two faders, or from a pad.
  @Test func handsThatMoveAtTheSameTimeAreOneStepEach() {
    var history = History()
    let time = ParameterPath(unit: "echo", keyPath: "time")
    for turn in 0..<100 {
      for path in [mix, time] {
        history.add(
          .value(path, before: Float(turn), after: Float(turn + 1)), title: path.keyPath,
          isGesture: true, at: start + .milliseconds(turn * 900))
      }
    }
    #expect(history.last?.title == "time" && values(history.last) == [0, 100])
    history.stepBack()
    #expect(history.last?.title == "mix" && values(history.last) == [0, 100])
    history.stepBack()
    #expect(history.last == nil)
  }

  /// The moves come as from a handle on two axes.
  @Test func parametersThatOnePeerHoldsAreOneStep() {
    var history = History()
    let (peer, other) = (Peer("one"), Peer("other"))
    let time = ParameterPath(unit: "echo", keyPath: "time")
    let gain = ParameterPath(unit: "level", keyPath: "gain")
    for drag in 0..<2 {
      for path in [mix, time] { history.hold(path, by: peer) }
      history.hold(gain, by: other)
      for turn in 0..<20 {
        for path in [mix, gain, time] {
          let before = Float(20 * drag + turn)
          history.add(
            .value(path, before: before, after: before + 1), title: path.keyPath, isGesture: true,
            at: start + .seconds(2 * (20 * drag + turn)))
        }
      }
      for path in [mix, time, gain] { history.release(path) }
    }
    #expect(history.last?.title == "echo.mix, echo.time set")
    #expect(values(history.last) == [20, 40, 20, 40])
    history.stepBack()
    #expect(history.last?.title == "gain" && values(history.last) == [20, 40])
    history.stepBack()
    #expect(values(history.last) == [0, 20, 0, 20])
  }

  /// The other fader has stopped in the meantime.
  @Test func aHandThatGoesOnIsStillOneStep() {
    var history = History()
    let time = ParameterPath(unit: "echo", keyPath: "time")
    for turn in 0..<20 {
      for path in turn < 2 ? [mix, time] : [mix] {
        history.add(
          .value(path, before: Float(turn), after: Float(turn + 1)), title: path.keyPath,
          isGesture: true, at: start + .milliseconds(turn * 300))
      }
    }
    #expect(history.last?.title == "mix" && values(history.last) == [0, 20])
    history.stepBack()
    #expect(history.last?.title == "time" && values(history.last) == [0, 2])
  }

  @Test func aPauseBeginsAnother() {
    var history = History()
    history.add(.value(mix, before: 0, after: 1), title: "a", isGesture: true, at: start)
    history.add(
      .value(mix, before: 1, after: 2), title: "b", isGesture: true, at: start + .seconds(1))
    #expect(values(history.last) == [1, 2])
    history.stepBack()
    #expect(values(history.last) == [0, 1])
  }

  @Test func whatIsNoMovementOfAHandStandsAlone() {
    var history = History()
    for (place, isGesture) in [true, false, true, true].enumerated() {
      history.add(
        .value(mix, before: Float(place), after: Float(place + 1)), title: "\(place)",
        isGesture: isGesture, at: start)
    }
    #expect(values(history.last) == [2, 4])
    history.stepBack()
    #expect(values(history.last) == [1, 2])
  }

  /// A step that was undone and redone takes no further changes; a new step removes the redo steps.
  @Test func whatCameBackIsNotAddedTo() {
    var history = History()
    history.add(.value(mix, before: 0, after: 1), title: "a", isGesture: true, at: start)
    history.stepBack()
    history.stepForward()
    history.add(.value(mix, before: 1, after: 2), title: "b", isGesture: true, at: start)
    #expect(values(history.last) == [1, 2])
    history.stepBack()
    #expect(values(history.last) == [0, 1] && history.next?.title == "b")
    history.add(
      .value(mix, before: 1, after: 7), title: "c", isGesture: true, at: start + .seconds(5))
    #expect(history.next == nil)
  }
}
