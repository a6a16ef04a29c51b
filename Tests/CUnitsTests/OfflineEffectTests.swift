import BacklineTestSupport
import CTestSupport
import Foundation
import Testing
import UnitMeasurement

/// Normalise, Reverse, Fade, Trim and Stretch, as whole sounds go through them.
@Suite struct OfflineEffectTests {
  private func host(
    _ subtype: String, channels: Int = 1, sampleRate: Double = 48_000,
    _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    try BuiltInUnit("auol/\(subtype)/bkln")
      .host(channels: channels, sampleRate: sampleRate, parameters)
  }

  /// Renders in blocks of 1, 64 and 4096 frames, and expects equal output.
  private func render(
    _ host: UnitHost, _ sound: [[Float]], sourceLocation: SourceLocation = #_sourceLocation
  ) -> [[Float]] {
    let output = host.renderOffline(sound)
    for blocks in [[1], [64, 17], [4096]] {
      let other = host.renderOffline(sound, blockSizes: blocks)
      #expect(
        firstDifference(output, other) == nil, "in blocks of \(blocks)",
        sourceLocation: sourceLocation)
    }
    return output
  }

  @Test(
    arguments: [
      ("rvrs", ["way": 1]), ("trim", ["pad": 0.01, "threshold": -50]), ("norm", ["by": 0]),
      ("norm", ["by": 1]), ("norm", ["by": 2]), ("strt", ["stretch": 150, "pitch": 3]),
    ] as [(String, [String: Float])])
  func soundIsTheSameInAnyBlocks(subtype: String, settings: [String: Float]) throws {
    let quiet = Signals.constant(1e-5, frames: 1000)
    let sound = [UInt64(1), 2].map { quiet + Signals.noise(frames: 4000, seed: $0) + quiet }
    _ = render(try host(subtype, channels: 2, settings), sound)
  }

  // MARK: - Fade

  @Test func fadesAreTheSameInAnyBlocks() throws {
    _ = render(try host("fade", ["in": 0.05, "out": 0.1]), [Signals.noise(frames: 9600)])
  }

  // MARK: - Trim

  @Test func nothingIsLeftOfSilence() throws {
    #expect(
      try host("trim").renderOffline([Signals.constant(0, frames: 1000)]) == [[]])
  }

  // MARK: - Normalise

  @Test(arguments: [0, 1, 2] as [Float]) func silenceStaysSilence(way: Float) throws {
    let silence = [Signals.constant(0, frames: 9600)]
    #expect(render(try host("norm", ["by": way]), silence) == silence)
  }

  @Test(arguments: [Float(-23), -14], [44_100, 48_000, 96_000] as [Double])
  func loudnessIsThatOfLibebur128(target: Float, rate: Double) throws {
    guard bl_loudness_peer_is_installed() else { return }
    let frames = Int(2 * rate)
    let noise = Signals.noise(frames: frames)
    // Passages of three levels, the softest below the gate.
    let left = noise.enumerated().map { $1 * [0.02, 0.1, 0.0004][$0 * 3 / frames] }
    let right = left.map { -0.5 * $0 }
    let host = try host("norm", channels: 2, sampleRate: rate, ["loudness": target, "peak": 0])
    let output = host.renderOffline([left, right])
    let interleaved = (0..<frames).flatMap { frame in output.map { $0[frame] } }
    var measured = bl_loudness_peer()
    try #require(bl_loudness_peer_measure(interleaved, frames, 2, UInt(rate), &measured))
    #expect(abs(measured.integrated - Double(target)) < 0.05)
    let gain = Double(output[0][1000] / left[1000])
    #expect(abs(Double(host.value("gain")) - 20 * log10(gain)) < 1e-3)
  }

  @Test func loudnessStopsAtThePeak() throws {
    let clicks = (0..<96_000).map { $0 % 4800 == 100 ? Float(0.5) : 0 }
    let output = try host("norm", ["loudness": -10, "peak": -2]).renderOffline([clicks])
    #expect(abs(Level.peak(output[0]) + 2) < 0.1)
    #expect(Loudness.integrated(output) < -12)
  }

  /// A sound of less than 400 ms has no block of the measurement.
  @Test func shortSoundsHaveALoudness() throws {
    let click = Signals.sine(frequency: 1000, amplitude: 0.01, frames: 9600)
    let output = try host("norm", ["loudness": -23, "peak": 0]).renderOffline([click])
    // A full-scale sine of 997 Hz has -3.01 LUFS.
    #expect(abs(Level.rms(output[0]) + 23) < 0.1)
  }

  // MARK: - Stretch

  @Test func unstretchedSoundIsTheSoundItself() throws {
    let sound = [Signals.noise(frames: 20_000)]
    let output = try host("strt").renderOffline(sound)
    let worst = zip(output[0], sound[0]).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-6)
  }

  /// A click comes at its time to the frame.
  @Test(arguments: [50, 137, 150, 200]) func aClickComesAtItsTime(stretch: Int) throws {
    var click = Signals.constant(0, frames: 24_000)
    click[12_000] = 1
    let output = try host("strt", ["stretch": Float(stretch)]).renderOffline([click])[0]
    let highest = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(highest == 120 * stretch)
    #expect(abs(output[highest] - 1) < 0.25)
  }

  /// Both channels turn alike: what is in the middle stays there.
  @Test func theStereoImageStands() throws {
    let (middle, side) = (Signals.noise(frames: 24_000), Signals.noise(frames: 24_000, seed: 3))
    let left = zip(middle, side).map { $0 + 0.2 * $1 }
    let output = try host("strt", channels: 2, ["stretch": 160]).renderOffline([left, left])
    #expect(output[0] == output[1])
  }
}
