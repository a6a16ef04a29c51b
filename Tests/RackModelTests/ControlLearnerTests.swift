import RackModel
import Testing

/// What is found in what comes from a controller.
@Suite struct ControlLearnerTests {
  private func learned(_ messages: [[UInt8]], port: String = "keys") -> ControlLearner.Found? {
    var learner = ControlLearner()
    let start = ContinuousClock.now
    for message in messages { learner.receive(message, port: port, at: start) }
    #expect(learner.found(at: start + ControlLearner.moment / 2) == nil)
    return learner.found(at: start + ControlLearner.moment)
  }

  @Test(
    arguments: [
      ([[0xB0, 21, 64]], "cc 21 channel 1"), ([[0xB2, 74, 1], [0xB2, 74, 2]], "cc 74 channel 3"),
      // Fourteen bits, whichever half comes first.
      ([[0xB0, 1, 64], [0xB0, 33, 5]], "cc 1/33 channel 1"),
      ([[0xB0, 33, 5], [0xB0, 1, 64]], "cc 1/33 channel 1"),
      // Another channel's, and another one's, halves are not.
      ([[0xB0, 1, 64], [0xB1, 33, 5]], "cc 1 channel 1"),
      ([[0xB0, 1, 64], [0xB0, 34, 5]], "cc 1 channel 1"),
      ([[0xB0, 70, 64], [0xB0, 102, 5]], "cc 70 channel 1"),
      ([[0xB0, 99, 9], [0xB0, 98, 82], [0xB0, 6, 64], [0xB0, 38, 3]], "nrpn 1234 channel 1"),
      // Its numbers alone say nothing yet, nor do a registered one's.
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
