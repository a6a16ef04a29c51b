import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The response goes through the faders, whatever their neighbours say.
@Suite struct GraphicEQTests {
  enum Kind: String, CaseIterable {
    case ten = "aufx/eqgr/bkln"
    case thirtyOne = "aufx/eq31/bkln"

    var unit: BuiltInUnit { BuiltInUnit(rawValue) }
    var count: Int { self == .ten ? 10 : 31 }
    var tolerance: Double { self == .ten ? 0.1 : 0.2 }
    var identifiers: [String] {
      unit.parameters.prefix(count).map { String(cString: $0.identifier) }
    }
    /// Hz.
    func centre(_ band: Int) -> Double {
      self == .ten ? 1000 * exp2(Double(band - 5)) : 1000 * exp2(Double(band - 17) / 3)
    }
  }

  private func impulse(_ kind: Kind, gains: [Float], rate: Double = 48_000) throws -> [Float] {
    let host = try UnitHost(
      kind.unit.descriptor, sampleRate: rate, inputChannels: [1], outputChannels: [1],
      parameters: Dictionary(uniqueKeysWithValues: zip(kind.identifiers, gains)))
    return host.render(inputs: [[Signals.impulse(frames: 48_000)]], frames: 48_000)[0]
  }

  private func decibels(_ impulse: [Float], at frequency: Double, rate: Double) -> Double {
    20 * log10(Spectrum.transform(impulse, at: frequency, sampleRate: rate).magnitude)
  }

  @Test(arguments: Kind.allCases, [44_100.0, 48_000])
  func theCentresMeetTheirFaders(_ kind: Kind, rate: Double) throws {
    let alternating = (0..<kind.count).map { Float($0 % 2 == 0 ? 12 : -12) }
    let noise = Signals.noise(frames: kind.count).map { 12 * $0 }
    for gains in [alternating, noise] {
      let impulse = try impulse(kind, gains: gains, rate: rate)
      for band in 0..<kind.count where kind.centre(band) < 17_000 {
        let measured = decibels(impulse, at: kind.centre(band), rate: rate)
        #expect(abs(measured - Double(gains[band])) < kind.tolerance, "band \(band)")
      }
    }
  }

  @Test(arguments: Kind.allCases) func allFadersAtOneLevelAreFlat(_ kind: Kind) throws {
    let impulse = try impulse(kind, gains: Array(repeating: 6, count: kind.count))
    for step in 0...60 {
      let frequency = 31.25 * exp2(Double(step) * 9 / 60)
      #expect(abs(decibels(impulse, at: frequency, rate: 48_000) - 6) < 0.3, "\(frequency) Hz")
    }
  }

  @Test(arguments: Kind.allCases) func fadersAtZeroLetEveryBitThrough(_ kind: Kind) throws {
    let host = try UnitHost(kind.unit.descriptor)
    let signals = [Signals.noise(frames: 2000), Signals.noise(frames: 2000, seed: 2)]
    #expect(identical(host.render(inputs: [signals], frames: 2000), signals))
  }
}
