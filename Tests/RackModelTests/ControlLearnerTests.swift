import RackModel
import Testing

/// Finding the control from a controller's messages.
@Suite struct ControlLearnerTests {
  private func learned(_ messages: [[UInt8]], port: String = "keys") -> ControlLearner.Found? {
    var learner = ControlLearner()
    let start = ContinuousClock.now
    for message in messages { learner.receive(message, port: port, at: start) }
    #expect(learner.found(at: start + ControlLearner.moment / 2) == nil)
    return learner.found(at: start + ControlLearner.waitingTime)
  }

  @Test(
    arguments: [
      ([[0xB0, 21, 64]], "cc 21 channel 1"), ([[0xB2, 74, 1], [0xB2, 74, 2]], "cc 74 channel 3"),
      // A 14-bit controller, whichever half arrives first.
      ([[0xB0, 1, 64], [0xB0, 33, 5]], "cc 1/33 channel 1"),
      ([[0xB0, 33, 5], [0xB0, 1, 64]], "cc 1/33 channel 1"),
      // Controllers of other channels or other numbers are not halves of one control.
      ([[0xB0, 1, 64], [0xB1, 33, 5]], "cc 1 channel 1"),
      ([[0xB0, 1, 64], [0xB0, 34, 5]], "cc 1 channel 1"),
      ([[0xB0, 70, 64], [0xB0, 102, 5]], "cc 70 channel 1"),
      ([[0xB0, 99, 9], [0xB0, 98, 82], [0xB0, 6, 64], [0xB0, 38, 3]], "nrpn 1234 channel 1"),
      // A parameter's numbers alone move nothing, and neither does a registered parameter.
      ([[0xB0, 99, 9], [0xB0, 98, 82], [0xE0, 0, 64]], "bend channel 1"),
      ([[0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xD0, 7]], "pressure channel 1"),
      ([[0xB0, 99, 127], [0xB0, 98, 127], [0xB0, 6, 1], [0xB0, 7, 1]], "cc 7 channel 1"),
      ([[0xB0, 6, 3]], "cc 6 channel 1"),
      ([[0x80, 60, 64], [0x90, 60, 0], [0x9F, 61, 1], [0xBF, 7, 1]], "note C#4 channel 16"),
      ([[0xA0, 60, 3]], "pressure C4 channel 1"),
      // A bank comes before its program.
      ([[0xB0, 0, 1], [0xB0, 32, 0], [0xC0, 4]], "program 5 channel 1"),
      ([[0xF8], [0xF0, 1, 0xF7], [0xB0, 123, 0], [0xB0, 64, 127]], "cc 64 channel 1"),
    ] as [([[UInt8]], String)])
  func theFirstThingMovedIsMeant(messages: [[UInt8]], source: String) throws {
    let found = try #require(learned(messages))
    #expect("\(found.source)" == source && found.port == "keys")
  }

  @Test func theControlThatMovesFarthestIsMeant() {
    let fader = (0..<8).map { [0xB0, 11, UInt8(64 + 4 * $0)] as [UInt8] }
    let wheel: [[UInt8]] = [[0xB0, 1, 0], [0xB0, 1, 1], [0xB0, 1, 0]]
    #expect(learned(wheel + fader)?.source.kind == .controller(11))
    #expect(learned(wheel + [[0xB0, 80, 127]])?.source.kind == .controller(80))
    #expect(learned(wheel + [[0x90, 60, 90], [0x80, 60, 0]])?.source.kind == .note(60))
    #expect(learned(wheel)?.source.kind == .controller(1))
    // A key's pressure is not another control.
    let pressures = (0..<60).map { [0xD0, UInt8(2 * $0)] as [UInt8] }
    #expect(learned([[0x90, 60, 90]] + pressures)?.source.kind == .note(60))
  }

  @Test func theTouchOfAFaderIsNone() throws {
    let touch: [[UInt8]] = [[0x90, 104, 127]]
    let moves = (0..<9).map { [0xE3, 0, UInt8(40 + $0)] as [UInt8] }
    let found = try #require(learned(touch + moves + [[0x90, 104, 0]]))
    #expect("\(found.source)" == "bend channel 4")
    #expect("\(found.touch, default: "")" == "note G#7 channel 1")
    // The control moves only after a while.
    var learner = ControlLearner()
    let start = ContinuousClock.now
    learner.receive([0x90, 104, 127], port: "keys", at: start)
    #expect(learner.found(at: start + ControlLearner.moment) == nil)
    for move in moves { learner.receive(move, port: "keys", at: start + .milliseconds(500)) }
    #expect(learner.found(at: start + .milliseconds(600))?.source.kind == .pitchBend)
    // A key that is played is found as soon as it is released.
    var played = ControlLearner()
    played.receive([0x90, 60, 127], port: "keys", at: start)
    played.receive([0x80, 60, 0], port: "keys", at: start + .milliseconds(50))
    #expect(played.found(at: start + ControlLearner.moment)?.source.kind == .note(60))
  }

  @Test(
    arguments: [
      ([1, 1, 127, 1], .twosComplement), ([1, 1, 1], .twosComplement),
      ([127, 126, 126], .twosComplement), ([127, 127, 127, 127, 127], .twosComplement),
      ([1, 1, 65, 1], .signAndMagnitude), ([65, 66, 66, 1, 2], .signAndMagnitude),
      ([65, 65, 63, 63], .binaryOffset), ([65, 65, 65], .binaryOffset),
      // Knobs with ends, slow and fast, a switch that is pressed now and then, and buttons.
      ([1, 2, 3, 4, 5, 6], nil), ([60, 62, 63, 65, 66], nil), ([40, 50, 58, 66, 75, 84], nil),
      ([0, 20, 50, 90, 127], nil), ([127, 127, 127], nil), ([127, 0, 127, 0], nil), ([65], nil),
    ] as [([UInt8], ControlMode?)])
  func encodersAreKnownByWhatTheySend(values: [UInt8], mode: ControlMode?) throws {
    #expect(try #require(learned(values.map { [0xB0, 16, $0] })).encoder == mode)
  }

  @Test(
    arguments: [
      ([[0xB0, 16, 127], [0xB0, 16, 0]], .toggle), ([[0xB0, 16, 0], [0xB0, 16, 127]], .toggle),
      ([[0xB0, 16, 127]], .latching), ([[0xB0, 16, 0]], .latching),
      ([[0xB0, 16, 127], [0xB0, 16, 127]], .latching), ([[0x90, 60, 5]], .toggle),
      ([[0xC0, 3]], .toggle), ([[0xB0, 16, 127], [0xB0, 16, 126]], nil), ([[0xB0, 16, 64]], nil),
      ([[0xD0, 127]], nil), ([[0xB0, 16, 1], [0xB0, 16, 1], [0xB0, 16, 127]], nil),
    ] as [([[UInt8]], ControlMode?)])
  func buttonsAreKnownByWhatTheySend(messages: [[UInt8]], mode: ControlMode?) throws {
    #expect(try #require(learned(messages)).button == mode)
  }

  @Test func aSwitchThatIsReleasedIsKnownAtOnce() {
    var learner = ControlLearner()
    let start = ContinuousClock.now
    learner.receive([0xB0, 80, 127], port: "keys", at: start)
    #expect(learner.found(at: start + ControlLearner.moment) == nil)
    learner.receive([0xB0, 80, 0], port: "keys", at: start + .milliseconds(300))
    #expect(learner.found(at: start + .milliseconds(300))?.button == .toggle)
  }

  @Test func nothingIsFoundInNothing() {
    #expect(learned([[0xFE], [0x80, 60, 0], [0xB0, 123, 0], []]) == nil)
  }

  @Test func halvesOfTwoPortsAreTwo() throws {
    var learner = ControlLearner()
    let start = ContinuousClock.now
    learner.receive([0xB0, 1, 64], port: "keys", at: start)
    learner.receive([0xB0, 33, 64], port: "pedals", at: start)
    #expect("\(learner.found(at: start + .seconds(1))?.source, default: "")" == "cc 1 channel 1")
  }
}
