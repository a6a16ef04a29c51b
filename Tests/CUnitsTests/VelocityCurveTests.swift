import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct VelocityCurveTests {
  @Test func fixedIsTheMaximum() throws {
    let host = try BuiltInUnit("aumi/velo/bkln").host(["fixed": 1, "maximum": 77])
    #expect((1...127).allSatisfy { host.note(for: 60, velocity: $0)?.velocity == 77 })
  }

  @Test func theEndOfANoteStaysOne() throws {
    let host = try BuiltInUnit("aumi/velo/bkln").host(["minimum": 50])
    _ = host.render(
      frames: 10, events: [.midi([0x90, 60, 0], at: 0), .midi([0x80, 60, 3], at: 1)])
    #expect(host.sentMIDI.map(\.bytes) == [[0x90, 60, 0], [0x80, 60, 3]])
  }
}
