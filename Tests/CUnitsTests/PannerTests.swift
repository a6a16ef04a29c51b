import BacklineTestSupport
import Foundation
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

  /// The right side's gain at x, from 0 (left) to 1 (right), law by law.
  private static let laws: [@Sendable (Double) -> Double] = [
    { sin($0 * .pi / 2) }, { pow(sin($0 * .pi / 2), 2.5 / (20 * log10(2.squareRoot()))) },
    { ($0 * sin($0 * .pi / 2)).squareRoot() }, { $0 }, { min(1, 2 * $0) },
  ]

  @Test(arguments: 0..<5) func eachLawFollowsItsFormula(law: Int) throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [2], parameters: ["law": Float(law)])
    for pan in stride(from: Float(-1), through: 1, by: 0.125) {
      host.set("pan", pan)
      let output = host.render(inputs: [[[1]]], frames: 1)
      let place = 0.5 + 0.5 * Double(pan)
      #expect(abs(Double(output[0][0]) - Self.laws[law](1 - place)) < 1e-6, "\(pan)")
      #expect(abs(Double(output[1][0]) - Self.laws[law](place)) < 1e-6, "\(pan)")
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
