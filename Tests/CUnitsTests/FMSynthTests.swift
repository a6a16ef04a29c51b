import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// The sound of the FM synth: its operators, and how they modulate each other.
@Suite struct FMSynthTests {
  let unit = BuiltInUnit("aumu/fmop/bkln")

  /// One channel; notes begin within a millisecond and stay full; the first operator alone.
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    var plain: [String: Float] = ["level": 0, "op2.level": 0]
    for index in 1...6 { plain["op\(index).sustain"] = 100 }
    return try UnitHost(
      unit.descriptor, outputChannels: [1], parameters: plain.merging(parameters) { $1 })
  }

  /// The last frames of a note that has begun before.
  private func sound(
    _ parameters: [String: Float], note: UInt8 = 69, velocity: UInt8 = 127, frames: Int
  ) throws -> [Float] {
    let all = try host(parameters).render(
      frames: 1200 + frames, events: [.midi([0x90, note, velocity], at: 0)])
    return [Float](all[0].suffix(frames))
  }

  /// Who modulates whom, from the first algorithm on: 65 is the sixth the fifth, 66 feedback.
  private static let algorithms = [
    "66 65 54 43 21", "22 65 54 43 21", "66 65 54 32 21", "46 65 54 32 21", "66 65 43 21",
    "56 65 43 21", "66 65 53 43 21", "44 65 53 43 21", "22 65 53 43 21", "33 64 54 32 21",
    "66 64 54 32 21", "22 63 53 43 21", "66 63 53 43 21", "66 64 54 43 21", "22 64 54 43 21",
    "66 65 51 43 31 21", "22 65 51 43 31 21", "33 65 54 41 31 21", "66 65 64 32 21",
    "33 64 54 32 31", "33 65 64 32 31", "66 65 64 63 21", "66 65 64 32", "66 65 64 63", "66 65 64",
    "66 64 54 32", "33 64 54 32", "55 54 43 21", "66 65 43", "55 54 43", "66 65", "66",
  ]

  /// All operators at 8 %, the nth at the nth harmonic; half of one feeds back. 2400 frames at twice
  /// the rate, after as many.
  private func reference(_ algorithm: String) -> [Float] {
    let routes = algorithm.split(separator: " ").map { route in
      route.utf8.map { Int($0) - Int(UInt8(ascii: "1")) }
    }
    let carriers = (0..<6).filter { each in !routes.contains { $0[0] == each && $0[1] < each } }
    var last = [Double](repeating: 0, count: 6)
    var mean = last
    let output = (0..<4800).map { tick -> Float in
      var now = mean
      for each in (0..<6).reversed() {
        var index = 0.0
        for route in routes where route[1] == each {
          index += (route[0] > each ? 10 : 5) * now[route[0]]
        }
        let turns = (Double(each + 1) * 440 * Double(tick) / 96_000)
          .truncatingRemainder(dividingBy: 1)
        now[each] = 0.08 * sin(2 * .pi * turns + index)
        mean[each] = 0.5 * (now[each] + last[each])
        last[each] = now[each]
      }
      return Float(carriers.reduce(0) { $0 + now[$1] })
    }
    return [Float](output.suffix(2400))
  }

  @Test(arguments: 1...32) func algorithmsAreAsDrawn(_ algorithm: Int) throws {
    var parameters: [String: Float] = ["algorithm": Float(algorithm), "feedback": 50]
    for index in 1...6 {
      parameters["op\(index).level"] = 8
      parameters["op\(index).ratio"] = Float(index)
    }
    let output = try sound(parameters, frames: 1200)
    let reference = reference(Self.algorithms[algorithm - 1])
    for harmonic in 1...12 {
      let frequency = 440 * Double(harmonic)
      let expected = Spectrum.amplitude(reference, at: frequency, sampleRate: 96_000)
      let measured = Spectrum.amplitude(output, at: frequency)
      #expect(abs(measured - expected) < 2e-5, "\(harmonic)")
    }
  }

  @Test func anOperatorAboveHalfTheRateIsSilent() throws {
    #expect(try sound(["op1.ratio": 32], note: 93, frames: 1200).allSatisfy { $0 == 0 })
    // As a modulator it moves nothing.
    let output = try sound(["op2.level": 50, "op2.ratio": 32], note: 93, frames: 4800)
    #expect(abs(SineFit(output, frequency: 1760, sampleRate: 48_000).amplitude - 1) < 1e-3)
  }

  /// The level is half as high an octave above middle C, and rises up to full below.
  @Test func levelFollowsTheKey() throws {
    func level(_ note: UInt8) throws -> Double {
      let output = try sound(["op1.level": 50, "op1.key": -6.0206], note: note, frames: 4800)
      return SineFit(
        output, frequency: 440 * pow(2, (Double(note) - 69) / 12), sampleRate: 48_000
      ).amplitude
    }
    #expect(abs(try level(60) - 0.5) < 1e-3)
    #expect(abs(try level(84) - 0.125) < 1e-3)
    #expect(abs(try level(48) - 1) < 1e-3)
    #expect(abs(try level(36) - 1) < 1e-3)
  }

  /// The level is the square of velocity, where it moves all.
  @Test(arguments: [Float(100), 50, 0]) func levelFollowsVelocity(_ velocity: Float) throws {
    let output = try sound(["op1.velocity": velocity], velocity: 64, frames: 2400)
    let expected = 1 - Double(velocity) / 100 * (1 - pow(64.0 / 127, 2))
    let fit = SineFit(output, frequency: 440, sampleRate: 48_000)
    #expect(abs(fit.amplitude - expected) < 1e-3)
  }

  /// `modulation` is a factor of the index, and timbre adds to it.
  @Test func modulationMovesTheIndex() throws {
    let parameters: [String: Float] = ["op2.level": 10, "op2.ratio": 0.25, "op1.ratio": 8]
    func first(_ more: [String: Float], _ timbre: UInt8) throws -> Double {
      let output = try host(parameters.merging(more) { $1 }).render(
        frames: 6000,
        events: [.midi([0xB0, 74, timbre], at: 0), .midi([0x90, 69, 127], at: 0)])[0]
      return Spectrum.amplitude([Float](output.suffix(4800)), at: 3630)
    }
    #expect(abs(try first(["modulation": 150], 0) - jn(1, 1.5)) < 1e-3)
    #expect(abs(try first([:], 127) - jn(1, 2)) < 1e-3)
    #expect(abs(try first(["timbre.modulation": -100], 127)) < 1e-5)
  }

  /// Sidebands of a sine whose frequency moves by 10 cents ten times a second.
  @Test func theLFOIsAVibrato() throws {
    let output = try sound(["lfo.rate": 10, "lfo.pitch": 10], frames: 24_000)
    let index = 44 * log(2.0) * 10 / 1200
    #expect(abs(Spectrum.amplitude(output, at: 440) - jn(0, index)) < 1e-3)
    #expect(abs(Spectrum.amplitude(output, at: 450) - jn(1, index)) < 1e-3)
    #expect(abs(Spectrum.amplitude(output, at: 430) - jn(1, index)) < 1e-3)
  }

  /// The LFO takes the level from full to a half, and at the beginning of its fade not at all.
  @Test func theLFOIsATremolo() throws {
    let output = try sound(["lfo.rate": 10, "lfo.level": 50], frames: 24_000)
    #expect(abs(Spectrum.amplitude(output, at: 440) - 0.75) < 1e-3)
    #expect(abs(Spectrum.amplitude(output, at: 450) - 0.125) < 1e-3)
    let faded = try host(["lfo.rate": 10, "lfo.level": 100, "lfo.fade": 10]).render(
      frames: 4800, events: [.midi([0x90, 69, 127], at: 0)])[0]
    #expect(
      abs(SineFit(faded.suffix(3600), frequency: 440, sampleRate: 48_000).amplitude - 1) < 0.01)
  }

  @Test(arguments: BuiltInUnit("aumu/fmop/bkln").presetNames) func chordsHaveRoom(name: String)
    throws
  {
    let chord: [UInt8] = [48, 55, 60, 64, 67]
    let output = try unit.host(preset: name).render(
      frames: 48_000, events: chord.map { .midi([0x90, $0, 100], at: 0) })
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }

  @Test(arguments: ["Tine Piano", "Reed Piano", "Bell Piano", "Stage Grand"])
  func aPianoHasRoomForAllItsKeys(name: String) throws {
    let output = try unit.host(preset: name).render(
      frames: 144_000, events: UnitHost.Event.everyPianoKey)
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }
}
