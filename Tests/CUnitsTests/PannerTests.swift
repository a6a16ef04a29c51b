import BacklineTestSupport
import Testing

@Suite struct PannerTests {
  private let unit = BuiltInUnit("aupn/panr/bkln")

  @Test func aStereoSoundPassesUnchanged() throws {
    let noise = [Signals.noise(frames: 900, seed: 1), Signals.noise(frames: 900, seed: 2)]
    for law in 0..<5 {
      let host = try UnitHost(unit.descriptor, parameters: ["law": Float(law)])
      #expect(identical(host.render(inputs: [noise], frames: 900), noise))
    }
  }

  @Test func aNegativeSpreadChangesSides() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["spread": -100])
    #expect(host.render(inputs: [[[0.25], [0.5]]], frames: 1) == [[0.5], [0.25]])
  }

  @Test func anotherLawFadesIn() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [2], parameters: ["law": 3])
    let output = host.render(
      inputs: [[Signals.constant(1, frames: 2000)]], frames: 2000,
      events: [.parameter(host.address("law"), 4, at: 1000)])
    #expect(output[0][999] == 0.5 && output[0][1999] == 1)
    #expect(Signals.largestStep(output[0]) < 1.01 * 0.5 / 240)
  }
}
