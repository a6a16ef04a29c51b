import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

/// The analyses, on signals of which the answer is known.
@Suite struct AnalysisTests {
  @Test func aSpectrumSeparatesAliasesFromHarmonics() {
    let sine = { (frequency: Double, level: Double) in
      Signals.sine(frequency: frequency, amplitude: Level.amplitude(level), frames: 16_384)
    }
    let parts = [sine(1245, -6), sine(2490, -46), sine(7777, -106)]
    let signal = (0..<16_384).map { parts[0][$0] + parts[1][$0] + parts[2][$0] }
    let spectrum = LineSpectrum(signal)
    #expect(abs(spectrum.level(at: 1245) + 6) < 1)
    #expect(abs(spectrum.worstAlias(of: 1245) + 100) < 1)
    #expect(abs(spectrum.totalHarmonicDistortion(of: 1245) + 40) < 1)
    #expect(spectrum.peak(from: 10_000, to: 20_000) < -140)
  }

  /// A sine cut without oversampling has aliases, and a sine has none.
  @Test func theAliasesOfACutSineAreHeard() {
    let sine = Signals.sine(frequency: AliasSum.fundamental, frames: 20 * AliasSum.frames)
    #expect(AliasSum.level(sine.map { min(max(251 * $0, -1), 1) }) > -30)
    #expect(AliasSum.level(sine) < -100)
  }

  /// EBU Tech 3341, test 1: a stereo sine of 1 kHz at -23 dBFS has -23 LUFS.
  @Test func aSineHasTheLoudnessOfTheStandard() {
    let sine = Signals.sine(frequency: 1000, amplitude: Level.amplitude(-23), frames: 96_000)
    #expect(abs(Loudness.integrated([sine, sine]) + 23) < 0.1)
    #expect(abs(Loudness.integrated([sine]) + 26.01) < 0.1)
    // Of the blocks, 17 hold the sine alone and three hold three, two and one quarters of it.
    let silence = Signals.constant(0, frames: 96_000)
    let loudness = Loudness.integrated([sine + silence, sine + silence])
    #expect(abs(loudness + 23 - 10 * log10(18.5 / 20)) < 0.1)
  }

  @Test func aDecayHasItsTime() {
    let noise = Signals.noise(frames: 48_000).enumerated().map { frame, sample in
      sample * Float(pow(10, -3 * Double(frame) / 48_000 / 0.5))
    }
    #expect(abs(Decay(of: noise).t30 - 0.5) < 0.02)
    #expect(abs(Decay(of: noise).early - 0.5) < 0.05)
  }

  @Test func aResponseIsThatOfTheImpulse() {
    let response = FrequencyResponse(of: [0.5, 0.5])
    #expect(abs(response.gain(at: 12_000) + 3.0103) < 1e-3)
    #expect(response.gain(at: 24_000) < -200)
    #expect(response.curve(points: 3).map { ($0.x * 10).rounded() / 10 } == [20, 632.5, 20_000])
  }

  @Test func aDeviationIsTheWorst() {
    #expect(Deviation.worst([1, -3, 2]) == 3)
    #expect(Deviation.worst([1, .nan, 2]) == .infinity && Deviation.worst([]) == .infinity)
  }

  @Test(arguments: Material.allCases) func allMaterialIsEquallyLoud(_ material: Material) {
    let samples = material.samples
    #expect(samples.count == 192_000 && samples.allSatisfy { abs($0) < 1 })
    #expect(abs(Loudness.integrated([samples]) - Material.loudness) < 0.01)
  }
}
