import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct PitchShifterTests {
  private let unit = BuiltInUnit("aufx/ptch/bkln")

  private func host(_ parameters: [String: Float], channels: Int = 1) throws -> UnitHost {
    try unit.host(channels: channels, ["dry": -96].merging(parameters) { $1 })
  }

  /// The level of a frequency at the end of a voice that plays a sine of 0 dB, dB.
  private func level(
    at expected: Double, from frequency: Double, _ parameters: [String: Float]
  ) throws -> Double {
    let sine = Signals.sine(frequency: frequency, frames: 24_000)
    let output = try host(parameters).play(sine)
    let fit = SineFit(output.suffix(6000), frequency: expected, sampleRate: 48_000)
    #expect(fit.residual < 1e-3)
    return Level.decibels(fit.amplitude)
  }

  /// A third of C major is four semitones on C and three on D; three on C of C minor.
  @Test(arguments: [(1, 60, 4), (1, 62, 3), (2, 60, 3)] as [(Float, Double, Double)])
  func aVoiceStaysInTheScale(scale: Float, note: Double, interval: Double) throws {
    let frequency = 440 * pow(2, (note - 69) / 12)
    let settings = ["scale": scale, "voice_1.semitones": 4]
    let level = try level(at: frequency * pow(2, interval / 12), from: frequency, settings)
    #expect(abs(level) < 0.05)
  }

  @Test func thePedalBends() throws {
    let settings: [String: Float] = ["voice_1.semitones": -12, "bend": 24, "pedal": 75]
    #expect(abs(try level(at: 440 * pow(2, 0.5), from: 440, settings)) < 0.05)
  }

  /// Dry sound and voices lag by the latency, a voice by its delay too, and sides by their pan.
  @Test func soundComesWhenItShould() throws {
    let host = try host(
      ["quality": 1, "dry": 0, "voice_1.semitones": 0, "voice_1.delay": 10, "voice_1.pan": 1],
      channels: 2)
    var click = Signals.constant(0, frames: 12_000)
    click[3000] = 1
    let output = host.play([click, click])
    let left = output[0].indices.filter { abs(output[0][$0]) > 0.5 }
    let right = output[1].indices.filter { abs(output[1][$0]) > 0.5 }
    #expect(left == [3000 + host.latency])
    #expect(right == [3000 + host.latency, 3480 + host.latency])
  }

  /// Two vocoders share the sound at 1209 Hz: what moves across keeps its level. Vibrato, which is
  /// fast for a window, falls to 0.454, 0.343 and 0.488 in one vocoder alone.
  @Test(arguments: [(7, 0.41), (12, 0.315), (-5, 0.44)] as [(Float, Float)])
  func aToneThatCrossesTheBandsKeepsItsLevel(semitones: Float, least: Float) throws {
    let motions: [(frames: Int, least: Float, frequency: (Double) -> Double)] = [
      (6 * 48_000, least, { 1209 + 60 * sin(2 * .pi * $0) }),
      (8 * 48_000, least, { 1209 + 200 * sin(0.5 * .pi * $0) }),
      (8 * 48_000, 0.48, { 1000 + 50 * $0 }),
      (8 * 48_000, 0.48, { 1400 - 50 * $0 }),
    ]
    for motion in motions {
      var phase = 0.0
      let sound = (0..<motion.frames).map { frame -> Float in
        phase += motion.frequency(Double(frame) / 48_000) / 48_000
        return 0.5 * Float(sin(2 * .pi * phase))
      }
      let output = try host(["quality": 1, "voice_1.semitones": semitones]).play(sound)
      // Some waves at a time.
      for start in stride(from: 48_000, to: output.count - 192, by: 192) {
        let level = output[start..<start + 192].map(abs).max() ?? 0
        #expect((motion.least...0.52).contains(level), "\(start)")
      }
    }
  }

  /// An octave down within two seconds, below, on and above the border of the bands: the windows stay
  /// in phase with each other.
  @Test(arguments: [800.0, 1209, 1800]) func aPedalSweepsWithoutGaps(frequency: Double) throws {
    let host = try host(["quality": 1, "voice_1.semitones": 0, "bend": -12])
    let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 192_000)
    let pedal = UnitHost.Event.parameter(host.address("pedal"), 100, ramp: 96_000, at: 24_000)
    let output = host.play(sine, events: [pedal])
    for start in stride(from: 30_000, to: 160_000, by: 60) {
      let power = output[start..<start + 240].reduce(0) { $0 + Double($1 * $1) } / 240
      #expect(abs((2 * power).squareRoot() - 0.5) < 0.07)
    }
  }

  /// Moved up, half the sample rate cuts off the top of its spectrum.
  @Test(arguments: [-12, -7, 7, 12] as [Float])
  func aClickStaysInItsPlace(semitones: Float) throws {
    var click = Signals.constant(0, frames: 14_000)
    click[3000] = 1
    let host = try host(["quality": 1, "voice_1.semitones": semitones])
    let output = host.play(click)
    let highest = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(highest == 3000 + host.latency)
    #expect(abs(output[highest] - min(1, pow(2, -semitones / 12))) < 0.02)
  }

  @Test func changingTheQualityDoesNotClick() throws {
    let sine = Signals.sine(frequency: 200, amplitude: 0.5, frames: 24_000)
    let host = try host(["dry": 0])
    let output = host.play(sine, events: [.parameter(host.address("quality"), 1, at: 9000)])
    #expect(Signals.largestStep(output.suffix(14_000)) < 0.06)
    #expect(host.latency > 0)
  }
}
