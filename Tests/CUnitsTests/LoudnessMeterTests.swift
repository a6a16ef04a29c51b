import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// Against the synthetic signals of EBU Tech 3341 and 3342 (segments shortened, which changes none
/// of the answers), and against ITU-R BS.1770 computed from its own table of coefficients.
@Suite struct LoudnessMeterTests {
  private let unit = BuiltInUnit("aufx/lufs/bkln")

  private struct Reading {
    var momentary, shortTerm, integrated, range, truePeak: Double
  }

  private func reading(of channels: [[Float]]) throws -> Reading {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [channels.count], outputChannels: [channels.count])
    let frames = channels[0].count
    let output = host.render(inputs: [channels], frames: frames, blockSizes: [512, 77])
    #expect(identical(output, channels))
    return Reading(
      momentary: Double(host.value("momentary")), shortTerm: Double(host.value("short_term")),
      integrated: Double(host.value("integrated")), range: Double(host.value("range")),
      truePeak: Double(host.value("true_peak")))
  }

  /// A sine of 1 kHz whose level in dBFS changes from segment to segment, in seconds.
  private func tone(_ segments: [(level: Double, seconds: Double)]) -> [Float] {
    segments.flatMap { segment in
      Signals.sine(
        frequency: 1000, amplitude: pow(10, segment.level / 20),
        frames: Int(segment.seconds * 48_000))
    }
  }

  /// One channel 3 dB louder stands for two of Tech 3341's.
  private static let mono = 3.0103

  @Test func steadyTonesReadTheirLevel() throws {
    let steady = try reading(of: [tone([(-23 + Self.mono, 4)])])
    for value in [steady.momentary, steady.shortTerm, steady.integrated] {
      #expect(abs(value + 23) < 0.05)
    }
    #expect(abs(steady.truePeak + 23 - Self.mono) < 0.02)
    #expect(abs(steady.range) < 0.01)
  }

  @Test func softPassagesAreGated() throws {
    let gated = try reading(of: [
      tone([
        (-72 + Self.mono, 1), (-36 + Self.mono, 1), (-23 + Self.mono, 14), (-36 + Self.mono, 1),
      ])
    ])
    // As Tech 3341, case 4; its passages are longer, so that blocks astride an edge weigh less.
    #expect(abs(gated.integrated + 23) < 0.1)
  }

  /// Front, LFE, rear, side: what ITU-R BS.1770 sums up of 5.1, quad and 7.1.
  @Test(
    arguments: [
      [-28, -28, -24, -3, -30, -30], [-29, -29, -30.5, -30.5],
      [-29, -29, -29, -3, -29, -29, -32, -32],
    ] as [[Double]])
  func surroundChannelsCountMore(levels: [Double]) throws {
    let isQuad = levels.count == 4
    let powers = levels.enumerated().map { channel, level in
      let isSide = channel + 2 >= levels.count
      let weight = !isQuad && channel == 3 ? 0 : isSide ? 1.41 : 1
      return weight * pow(10, (level - Self.mono) / 10)
    }
    let channels = try reading(of: levels.map { tone([($0, 1)]) })
    #expect(abs(channels.integrated - 10 * log10(powers.reduce(0, +))) < 0.05)
  }

  @Test(arguments: [(-20, -30, 10), (-20, -15, 5), (-40, -20, 20)] as [(Double, Double, Double)])
  func rangeIsThatOfThePassages(first: Double, second: Double, range: Double) throws {
    let passages = try reading(of: [tone([(first + Self.mono, 6), (second + Self.mono, 6)])])
    #expect(abs(passages.range - range) < 1)
  }

  /// Tech 3341, cases 15 to 19: crests between the samples.
  @Test(arguments: [(4.0, 0.0), (4, 45), (6, 60), (8, 67.5), (3, 20)])
  func truePeaksLieBetweenSamples(period: Double, degrees: Double) throws {
    let frames = 4800
    let signal = (0..<frames).map { frame -> Float in
      let fade = min(1, Double(min(frame, frames - frame)) / 480)
      let turns = Double(frame) / period + degrees / 360
      return Float(0.5 * fade * sin(2 * .pi * turns))
    }
    #expect(abs(try reading(of: [signal]).truePeak + 6.02) < 0.1)
  }

  @Test func noiseReadsAsTheRecommendationComputes() throws {
    let frames = 48_000 * 2
    let channels = [UInt64(1), 2].map { seed in
      Signals.noise(frames: frames, seed: seed).enumerated().map { frame, sample -> Float in
        let swell = sin(Double(frame) / 20_000)
        return sample * Float(0.02 + 0.3 * swell * swell)
      }
    }
    #expect(abs(try reading(of: channels).integrated - Loudness.integrated(channels)) < 0.01)
  }

  @Test func peakToLoudnessAndDistanceAreDifferences() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: ["target": -14])
    #expect(host.value("plr") == 0 && host.value("distance") == 0)
    _ = host.render(inputs: [[tone([(-20, 2)])]], frames: 96_000)
    #expect(abs(host.value("plr") - 3.01) < 0.05)
    #expect(abs(host.value("distance") - (-23.01 + 14)) < 0.05)
    host.set("target", -23)
    #expect(abs(host.value("distance")) < 0.05)
  }

  /// That of two sines is the cosine of their phase, however loud each is.
  @Test(arguments: [0, 60, 90, 135, 180] as [Double]) func correlationOfSines(degrees: Double)
    throws
  {
    let host = try UnitHost(unit.descriptor, inputChannels: [2], outputChannels: [2])
    let channels = [(0.5, 0), (0.05, degrees)].map { amplitude, degrees in
      (0..<96_000).map { frame in
        Float(amplitude * sin(2 * .pi * (Double(frame) / 48 + degrees / 360)))
      }
    }
    _ = host.render(inputs: [channels], frames: 96_000)
    #expect(abs(Double(host.value("correlation")) - cos(degrees * .pi / 180)) < 0.005)
  }

  @Test func resetBeginsAnew() throws {
    let host = try UnitHost(unit.descriptor, inputChannels: [1], outputChannels: [1])
    let signal = tone([(0, 1), (-20, 1)])
    _ = host.render(
      inputs: [[signal]], frames: 96_000,
      events: [.parameter(host.address("reset"), 1, at: 48_100)])
    #expect(abs(host.value("integrated") + 23.01) < 0.05)
    #expect(abs(host.value("true_peak") + 20) < 0.05)
    host.reset()
    #expect(host.value("integrated") == -100 && host.value("true_peak") == -100)
  }
}
