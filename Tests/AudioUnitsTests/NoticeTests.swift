import AudioUnits
import BacklineTestSupport
import Foundation
import Testing
import UnitModel

/// Units send notices to their host, in this process and in their own.
@Suite struct NoticeTests {
  /// When the Step Sequencer records a key, each parameter of the step is touched, set and
  /// released.
  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func aGestureReachesTheObserversOfTheTree(options: InstantiationOptions) async throws {
    var rig = try await UnitRig("aumi/step/bkln", options: options) {
      try $0.setParameter($0.address("record"), to: 1)
      try $0.setParameter($0.address("note"), to: 60)
    }
    let (stream, continuation) = AsyncStream<ParameterAutomationEvent>.makeStream()
    let tree = rig.unit.parameterTree
    let token = tree.token(byAddingParameterAutomationObserver: { events in
      for event in events { continuation.yield(event) }
    })
    defer { tree.removeParameterObserver(token) }
    try rig.unit.scheduleMIDI(bytes: [0x90, 64, 77])
    _ = try rig.render(frames: 512)
    let (pitch, velocity) = (try rig.address("pitch.1"), try rig.address("velocity.1"))
    var seen: [ParameterAutomationEvent] = []
    for await event in stream {
      seen.append(event)
      if seen.count(where: { $0.eventType == .release }) == 2 { break }
    }
    for address in [pitch, velocity] {
      let own = seen.filter { $0.address == address }.map(\.eventType)
      #expect(own.first == .touch && own.last == .release && own.contains(.value), "\(own)")
    }
    #expect(rig.unit.parameterValue(pitch) == 4 && rig.unit.parameterValue(velocity) == 77)
    #expect(seen.last { $0.address == pitch }?.value == 4)
  }

  /// A model for another sample rate has a latency, which changes with the file, without an event.
  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func aFileBringsALatency(options: InstantiationOptions) async throws {
    let folder = try TemporaryFolder()
    var rig = try await UnitRig("aufx/namp/bkln", options: options) {
      try $0.setSampleRate(44_100)
    }
    #expect(rig.unit.latency == 0)
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 44_100), count: 2)
    let model = Array(AmpModel.linear([0, 0, -1]).file().utf8)
    try rig.unit.setProperty("file", to: try folder.write("amp.nam", bytes: model))
    try await eventually("the latency is there") {
      _ = try rig.render([silence], frames: 4410)
      return rig.unit.latency > 0
    }
  }

  /// The compressor writes and reads its ratio as text, such as “4:1”.
  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func aUnitWritesAndReadsItsTexts(options: InstantiationOptions) async throws {
    let unit = try await UnitRig("aufx/cmpr/bkln", options: options).unit
    let ratio = try #require(unit.parameterTree.parameter(atKeyPath: "ratio"))
    #expect(ratio.string(fromValue: 4) == "4:1" && ratio.string(fromValue: 100) == "∞:1")
    #expect(ratio.string(fromValue: 2.5) == "2.5:1")
    let texts: [(String, Float)] = [
      ("3:1", 3), ("3 : 1", 3), ("8", 8), ("∞:1", 100), ("inf:1", 100), ("∞", 100),
    ]
    for (text, value) in texts { #expect(try ratio.value(from: text) == value, "\(text)") }
    for text in ["", "loud", "4:2", ":1", "4:1:1", "nan:1", "0.1:1", "400:1"] {
      #expect(throws: (any Error).self, "\(text)") { try ratio.value(from: text) }
    }
    let knee = try #require(unit.parameterTree.parameter(atKeyPath: "knee"))
    #expect(knee.string(fromValue: 6) == "6 dB")
  }
}

extension AudioUnit {
  fileprivate func address(_ keyPath: String) throws -> UInt64 {
    try #require(facts.parameter(atKeyPath: keyPath)).address
  }
}
