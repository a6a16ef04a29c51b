import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct VocoderTests {
  private let unit = BuiltInUnit("aufx/voco/bkln")

  private func mono(_ parameters: [String: Float], carrier: Bool = true) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: carrier ? [1, 1] : [1], outputChannels: [1],
      parameters: parameters)
  }

  /// A voice in one band opens the same band of the carrier, moved by the formant shift: an impulse
  /// shows its response.
  @Test(arguments: [0, 7, -12] as [Float]) func theFormantMovesTheCarriersBands(
    semitones: Float
  ) throws {
    let (bands, band, frames) = (20, 11, 48_000)
    let host = try mono([
      "bands": 20, "attack": 10, "release": 100, "sibilance": 0, "formant": semitones,
    ])
    let centre = VocoderBands.frequency(of: band, of: bands)
    let voice = Signals.sine(frequency: centre, frames: 2 * frames)
    let carrier = Signals.constant(0, frames: frames) + Signals.impulse(frames: frames)
    let output = host.render(inputs: [[voice], [carrier]], frames: 2 * frames)[0]
    let response = Array(output[frames..<frames + 8192])
    func gain(_ place: Double) -> Double {
      let beside = VocoderBands.frequency(of: band, of: bands, at: place)
      let frequency = beside * exp2(Double(semitones) / 12)
      return Level.decibels(Spectrum.transform(response, at: frequency).magnitude)
    }
    #expect(abs(gain(-0.5) - gain(0) + 3.01) < 0.7)
    #expect(abs(gain(0.5) - gain(0) + 3.01) < 0.7)
    // The neighbour's own band adds as much as leaks into it.
    #expect(gain(1) - gain(0) < -17 && gain(-1) - gain(0) < -17)
    #expect(gain(2) - gain(0) < -36 && gain(-2) - gain(0) < -36)
  }

  /// How like itself a signal is a period of 100 Hz later.
  private func periodicity(_ signal: ArraySlice<Float>) -> Double {
    let pairs = Array(zip(signal, signal.dropFirst(480)))
    let product = pairs.map { Double($0 * $1) }.reduce(0, +)
    let energy = signal.dropLast(480).map { Double($0 * $0) }.reduce(0, +)
    return product / energy
  }

  @Test func hissingTakesNoiseForTheCarrier() throws {
    let noise = Signals.noise(frames: 24_000)
    let hiss = noise.indices.map { noise[$0] - noise[max(0, $0 - 1)] }
    let vowel = (0..<24_000).map { (frame: Int) -> Float in Float(frame % 400) / 800 - 0.25 }
    func play(_ voice: [Float], _ sibilance: Float) throws -> ArraySlice<Float> {
      let host = try mono(["pitch": 100, "sibilance": sibilance, "release": 200], carrier: false)
      return host.play(voice).suffix(12_000)
    }
    #expect(periodicity(try play(hiss, 0)) > 0.9)
    #expect(abs(periodicity(try play(hiss, 100))) < 0.3)
    let (without, with) = (try play(vowel, 0), try play(vowel, 100))
    #expect(zip(without, with).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test func aConnectedCarrierIsTheOnlyOne() throws {
    let voice = Signals.noise(frames: 9600)
    let silence = Signals.constant(0, frames: 9600)
    let output = try mono([:]).render(inputs: [[voice], [silence]], frames: 9600)[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  /// The saw's harmonics fall by 6 dB per octave, and what the sample rate cannot hold is gone.
  @Test func theSawHasItsPitch() throws {
    let host = try mono(["pitch": 437, "sibilance": 0, "release": 2000], carrier: false)
    let noise = Signals.noise(frames: 72_000)
    let output = Array(host.play(noise).suffix(48_000))
    for harmonic in 1...12 {
      let line = Spectrum.amplitude(output, at: 437 * Double(harmonic))
      let beside = Spectrum.amplitude(output, at: 437 * Double(harmonic) + 200)
      #expect(line > 30 * beside, "harmonic \(harmonic)")
    }
  }

  @Test func bandsChangeWithoutAClick() throws {
    let host = try mono(["release": 500, "sibilance": 0])
    let tone = Signals.sine(frequency: 1000, amplitude: 0.3, frames: 24_000)
    let event = UnitHost.Event.parameter(host.address("bands"), 33, at: 12_001)
    let output = host.render(inputs: [[tone], [tone]], frames: 24_000, events: [event])[0]
    let curvature = Float(2 * (1 - cos(2 * Double.pi * 1000 / 48_000)))
    let bends = (9000..<23_000).map { (frame: Int) -> Float in
      let bend = output[frame + 1] - 2 * output[frame] + output[frame - 1]
      return abs(bend + curvature * output[frame])
    }
    #expect((bends.max() ?? 1) < 0.002)
    #expect(VocoderBands.levels(host).count == 33)
  }
}
