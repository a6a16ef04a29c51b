import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

/// Momentary parameters: pressed by MIDI, lanes, scenes and commands, and stored nowhere.
@Suite struct ButtonTests {
  static func rack(_ rest: String) -> String {
    """
    rack: Test
    inputs: { in: { channels: 1 }, keys: { midi: true } }
    outputs: { out: { channels: 1 } }
    units: { looper: { unit: aufx/loop/bkln, parameters: { dry: -96 dB, memory: 10 s } } }
    connections: [ in -> looper -> out ]
    \(rest)
    """
  }

  private let noise = Signals.noise(frames: 48_000)

  /// Expects to hear a loop from `start` to `end`, for any cycle length.
  private func expectLoop(
    _ rest: String, from start: Int, to end: Int, _ messages: [(Int, [UInt8])] = []
  ) throws {
    let plan = try TestRacks.plan(Self.rack(rest))
    for block in [64, 4096] {
      let rendering = try OfflineRendering(plan, inputs: ["in": [noise]]) { job in
        job.blockFrames = block
        job.length = 1
        job.messages = messages.map {
          .init(port: 0, time: Double($0) / 48_000, bytes: $1)
        }
      }
      let loop = try #require(rendering.output.first)
      let heard = loop[end + 240..<2 * end - start - 240]
      #expect(heard.elementsEqual(noise[start + 240..<end - 240]), "blocks of \(block)")
      #expect(!loop[..<end].contains { $0 != 0 })
    }
  }

  @Test(arguments: [([0x90, 60, 9], [0x80, 60, 0]), ([0xB0, 64, 127], [0xB0, 64, 0])])
  func aPedalPresses(down: [UInt8], up: [UInt8]) throws {
    let source = down[0] == 0x90 ? "note C4" : "cc 64"
    try expectLoop(
      "controls: [ { from: keys \(source), to: looper.record } ]", from: 1200, to: 9600,
      [(1200, down), (3000, up), (9600, down), (9900, up)])
  }

  @Test func twoPressesInOneCycleAreTwo() throws {
    try expectLoop(
      "controls: [ { from: keys cc 64, to: looper.record } ]", from: 500, to: 3500,
      [(500, [0xB0, 64, 127]), (600, [0xB0, 64, 0]), (3500, [0xB0, 64, 127])])
  }

  @Test func eachPointOfALaneThatIsOnPresses() throws {
    try expectLoop(
      "automation: { looper.record: [on @ 0 s, on @ 0.25 s] }", from: 0, to: 12_000)
  }

  @Test func aRackFileCannotHoldOneDown() throws {
    let yaml = Self.rack("").replacing("dry: -96 dB", with: "record: on")
    let error = #expect(throws: TestRacks.Wrong.self) { try TestRacks.plan(yaml) }
    #expect(error?.description.contains("“record” is a button, and has no value") == true)
  }
}

extension JackTests {
  @Suite(.serialized) struct Buttons {
    @Test func aCommandPressesAndNothingKeepsIt() async throws {
      let scene = "scenes: { go: { looper.record: on } }"
      try await SessionRig.run(ButtonTests.rack(scene)) { rig in
        let first = try await rig.state()
        for command in [
          "set looper.record on", "scene go",
        ] {
          try await rig.perform("set looper.clear on", command)
          try await eventually("it records") {
            (try? await rig.text(of: "looper.state")) == "Recording"
          }
          #expect(try await rig.text(of: "looper.record") == "Off")
        }
        try await rig.perform("set looper.clear on")
        try await eventually("it is empty") {
          (try? await rig.text(of: "looper.state")) == "Empty"
        }
        await #expect(throws: Refusal.self) { try await rig.perform("undo", "undo") }
        #expect(try await rig.state() == first)
      }
    }
  }
}
