import BacklineTestSupport
import Testing

@Suite struct MacroTests {
  private let unit = BuiltInUnit("augn/macr/bkln")

  @Test(arguments: [[512], [1], [17, 480]]) func theOutputIsTheKnob(blocks: [Int]) throws {
    let host = try UnitHost(unit.descriptor, parameters: ["value": 20])
    let output = host.render(
      frames: 4000, blockSizes: blocks,
      events: [
        .parameter(host.address("value"), 80, ramp: 1000, at: 1000),
        .parameter(host.address("value"), 100, at: 3000),
      ])[0]
    for (frame, value) in output.enumerated() {
      let moved = min(max(Float(frame) - 1000, 0), 1000) / 1000
      #expect(abs(value - (frame < 3000 ? 0.2 + 0.6 * moved : 1)) < 1e-6, "frame \(frame)")
    }
  }
}
