import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct MultibandCompressorTests {
  private let unit = BuiltInUnit("aufx/mbnd/bkln")
  private let crossovers = [120.0, 800, 4000, 10_000]

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: parameters)
  }

  /// No band does anything.
  private var still: [String: Float] {
    Dictionary(uniqueKeysWithValues: (1...5).map { ("band\($0).ratio", 1) })
  }

  /// Level of the second half, dB below a full sine's.
  private func level(_ signal: [Float]) -> Double {
    let half = signal.suffix(signal.count / 2)
    return 10 * log10(half.map { Double($0 * $0) }.reduce(0, +) / Double(half.count) * 2)
  }

  /// The gain of one of `bands` at a frequency, dB: Linkwitz and Riley's low-pass is a Butterworth
  /// low-pass twice, and so is their high-pass; both warped by the bilinear transform.
  private func gain(of band: Int, of bands: Int, at frequency: Double) -> Double {
    let warped = crossovers.map { tan(.pi * frequency / 48_000) / tan(.pi * $0 / 48_000) }
    let highPasses = warped.prefix(band - 1).map { -20 * log10(1 + pow($0, -4)) }
    let lowPass = band < bands ? -20 * log10(1 + pow(warped[band - 1], 4)) : 0
    return highPasses.reduce(0, +) + lowPass
  }

  @Test(arguments: [3, 4, 5], [[120, 800, 4000, 10_000], [5000, 200, 201, 60]] as [[Float]])
  func theBandsAddUp(bands: Int, crossovers: [Float]) throws {
    var parameters = still
    parameters["bands"] = Float(bands)
    for (index, crossover) in crossovers.enumerated() {
      parameters["crossover\(index + 1)"] = crossover
    }
    let host = try mono(parameters)
    let response = host.render(inputs: [[Signals.impulse(frames: 16_384)]], frames: 16_384)[0]
    for frequency in stride(from: log(20.0), through: log(22_000), by: 0.2).map(exp) {
      let gain = 20 * log10(Spectrum.transform(response, at: frequency).magnitude)
      #expect(abs(gain) < 0.01, "\(frequency) Hz")
    }
  }

  @Test(arguments: [3, 4, 5]) func aBandAloneIsLinkwitzAndRileys(bands: Int) throws {
    for band in 1...bands {
      var parameters = still
      parameters["bands"] = Float(bands)
      parameters["band\(band).solo"] = 1
      let host = try mono(parameters)
      let response = host.render(inputs: [[Signals.impulse(frames: 16_384)]], frames: 16_384)[0]
      for frequency in [40.0, 120, 300, 800, 2000, 4000, 10_000, 15_000] {
        let measured = 20 * log10(Spectrum.transform(response, at: frequency).magnitude)
        let expected = gain(of: band, of: bands, at: frequency)
        #expect(abs(max(measured, -90) - max(expected, -90)) < 0.05, "\(band) at \(frequency) Hz")
      }
    }
  }

  /// Giannoulis, Massberg and Reiss, 2012, equation 4, for the level within the band; a ratio below
  /// 1 makes louder what is above the threshold.
  @Test(arguments: [0.5, 0.8, 2, 4, 100] as [Float]) func eachBandHasTheStaticCurve(
    ratio: Float
  ) throws {
    // High ones no simple parts of the sample rate, so that their crests are found.
    for (index, frequency) in [60.0, 310, 1790, 6190, 13_310].enumerated() {
      for input in stride(from: -48.0, through: 0, by: 9.3) {
        let name = "band\(index + 1)"
        var parameters = still
        parameters["bands"] = 5
        parameters["knee"] = 10
        parameters["\(name).threshold"] = -30
        parameters["\(name).ratio"] = ratio
        parameters["\(name).make_up"] = 3
        parameters["\(name).attack"] = 1
        parameters["\(name).release"] = 5
        parameters["\(name).solo"] = 1
        let host = try mono(parameters)
        let tone = Signals.sine(
          frequency: frequency, amplitude: pow(10, input / 20), frames: 9600)
        let output = host.render(inputs: [[tone]], frames: 9600)[0]
        let heard = level(tone) + gain(of: index + 1, of: 5, at: frequency)
        let over = heard + 30
        let excess = over < -5 ? 0 : over > 5 ? over : pow(over + 5, 2) / 20
        let reduction = max((1 - 1 / Double(ratio)) * excess, -24)
        #expect(abs(level(output) - (heard - reduction + 3)) < 0.1, "\(frequency) Hz, \(input) dB")
        #expect(abs(Double(host.value("\(name).gain_reduction")) - reduction) < 0.1)
      }
    }
  }

  /// Equation 18 after a hold of 10 ms, for a level that rises and falls so slowly that the lowest
  /// band lets it through as it is. No other crossover delays it.
  @Test(arguments: [(20, 100), (2, 300), (50, 30)]) func attackAndReleaseTakeTheirTimes(
    attack: Double, release: Double
  ) throws {
    let host = try mono([
      "bands": 3, "crossover1": 20_000, "crossover2": 20_000, "knee": 0,
      "band1.threshold": -20, "band1.ratio": 4, "band1.attack": Float(attack),
      "band1.release": Float(release),
    ])
    let levels = (0..<36_000).map { frame -> Double in
      let rise = min(1, Double(frame) / 480)
      let fall = min(1, max(0, Double(frame - 12_000) / 480))
      return -40 + 20 * (cos(.pi * fall) - cos(.pi * rise))
    }
    let output = host.render(inputs: [[levels.map { Float(pow(10, $0 / 20)) }]], frames: 36_000)[0]
    var excess = 0.0
    for frame in 1..<36_000 {
      let held = levels[max(0, frame - 480)...frame].max() ?? 0
      let way = max(0, held + 20) - excess
      excess += way * (1 - exp(-1 / 48 / (way > 0 ? attack : release)))
      guard frame % 97 == 0 else { continue }
      let heard = 20 * log10(Double(output[frame]))
      #expect(abs(heard - levels[frame] + 0.75 * excess) < 0.1, "frame \(frame)")
    }
  }

  @Test func aLoudBandLeavesTheOthersAlone() throws {
    let low = Signals.sine(frequency: 60, amplitude: 0.9, frames: 24_000)
    let high = Signals.sine(frequency: 7000, amplitude: 0.001, frames: 24_000)
    let both = zip(low, high).map { $0 + $1 }
    let output = try mono(["band1.ratio": 20, "band1.threshold": -24]).render(
      inputs: [[both]], frames: 24_000)[0]
    let settled = Array(output.suffix(12_000))
    let kept = Spectrum.amplitude(settled, at: 7000) / 0.001
    #expect(abs(20 * log10(kept)) < 0.02)
    #expect(20 * log10(Spectrum.amplitude(settled, at: 60) / 0.9) < -10)
  }

  /// A tone's own wave, and no more, while bands come and go, are heard alone or passed by.
  @Test(
    arguments: [("bands", 5), ("bands", 3), ("band2.solo", 1), ("band3.bypass", 1)]
      as [(String, Float)])
  func switchesDoNotClick(switched: String, value: Float) throws {
    let host = try mono(["band3.make_up": 6])
    let tone = Signals.sine(frequency: 1000, amplitude: 0.1, frames: 9600)
    let event = UnitHost.Event.parameter(host.address(switched), value, at: 4801)
    let output = host.render(inputs: [[tone]], frames: 9600, events: [event])[0]
    // What is left after the second difference of a sine is taken from it.
    let curvature = Float(2 * (1 - cos(2 * Double.pi * 1000 / 48_000)))
    let bends = (4700..<6000).map { (frame: Int) -> Float in
      let bend = output[frame + 1] - 2 * output[frame] + output[frame - 1]
      return abs(bend + curvature * output[frame])
    }
    #expect((bends.max() ?? 1) < 0.001)
  }

  @Test func channelsAreTurnedDownAsOne() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [3], outputChannels: [3],
      parameters: ["band3.ratio": 10, "band3.threshold": -24])
    let loud = Signals.sine(frequency: 1500, amplitude: 0.8, frames: 9600)
    let soft = loud.map { $0 * 0.01 }
    let output = host.render(inputs: [[soft, soft, loud]], frames: 9600)
    for channel in 0..<2 {
      #expect(abs(level(output[2]) - level(output[channel]) - 40) < 0.001)
    }
    #expect(level(output[2]) < level(loud) - 10)
  }
}
