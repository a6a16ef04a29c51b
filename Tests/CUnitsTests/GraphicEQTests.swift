import BacklineTestSupport
import Testing

@Suite struct GraphicEQTests {
  @Test(arguments: ["aufx/eqgr/bkln", "aufx/eq31/bkln"])
  func fadersAtZeroLetEveryBitThrough(_ code: String) throws {
    let host = try UnitHost(BuiltInUnit(code).descriptor)
    let signals = [Signals.noise(frames: 2000), Signals.noise(frames: 2000, seed: 2)]
    #expect(identical(host.render(inputs: [signals], frames: 2000), signals))
  }
}
