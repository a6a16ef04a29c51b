import BacklineTestSupport
import CTestSupport
import Foundation
import Testing
import UnitMeasurement

/// The loudness meter and the limiter beside libebur128, where it is installed.
@Suite(.enabled(if: bl_loudness_peer_is_installed(), "libebur128 is not installed"))
struct LoudnessPeerTests {
  private func peer(_ channels: [[Float]], rate: Double = 48_000) throws -> bl_loudness_peer {
    let frames = channels[0].count
    let interleaved = (0..<frames).flatMap { frame in channels.map { $0[frame] } }
    var loudness = bl_loudness_peer()
    try #require(
      bl_loudness_peer_measure(
        interleaved, frames, UInt32(channels.count), UInt(rate), &loudness))
    return loudness
  }

  /// The allowed differences of the meter from libebur128, LU and dB.
  private struct Tolerance {
    var range = 0.1
    var truePeak = -0.1...0.1
  }

  private func expectMatch(
    _ channels: [[Float]], rate: Double = 48_000, _ tolerance: Tolerance,
    _ name: String
  ) throws {
    let host = try BuiltInUnit("aufx/lufs/bkln").host(channels: channels.count, sampleRate: rate)
    _ = host.play(channels)
    let expected = try peer(channels, rate: rate)
    let readings = [
      ("momentary", expected.momentary, -0.05...0.05),
      ("short_term", expected.short_term, -0.05...0.05),
      ("integrated", expected.integrated, -0.05...0.05),
      ("range", expected.range, -tolerance.range...tolerance.range),
      ("true_peak", expected.true_peak, tolerance.truePeak),
    ]
    for (reading, value, allowed) in readings {
      let difference = Double(host.value(reading)) - value
      #expect(allowed.contains(difference), "\(name), \(reading)")
    }
  }

  /// Passages of a sine of 1 kHz, dBFS and seconds.
  private func tone(_ passages: [(level: Double, seconds: Double)], rate: Double) -> [Float] {
    passages.flatMap { passage in
      Signals.sine(
        frequency: 1000, sampleRate: rate, amplitude: Level.amplitude(passage.level),
        frames: Int(passage.seconds * rate))
    }
  }

  /// Tech 3341, cases 1 to 5; passages are a quarter as long, and their ranges not comparable.
  @Test(arguments: [44_100, 48_000, 96_000] as [Double])
  func loudnessOfTheStandardsTones(rate: Double) throws {
    let cases: [[(Double, Double)]] = [
      [(-23, 5)], [(-33, 5)], [(-36, 2.5), (-23, 15), (-36, 2.5)],
      [(-72, 2.5), (-36, 2.5), (-23, 15), (-36, 2.5), (-72, 2.5)], [(-26, 5), (-20, 5), (-26, 5)],
    ]
    for passages in cases {
      let signal = tone(passages, rate: rate)
      try expectMatch([signal, signal], rate: rate, Tolerance(range: 100), "\(passages)")
    }
  }

  /// Tech 3342, cases 1 to 4.
  @Test func rangeOfTheStandardsTones() throws {
    let cases = [[-20.0, -30], [-20, -15], [-40, -20], [-50, -35, -20, -35, -50]]
    for levels in cases {
      try expectMatch([tone(levels.map { ($0, 20) }, rate: 48_000)], Tolerance(), "\(levels)")
    }
  }

  /// Up to 20 kHz: above, each meter's filter reads otherwise.
  @Test func noise() throws {
    let noise = [UInt64(1), 2].map { seed in
      let white = Signals.noise(frames: 48_000 * 6 + 3, seed: seed)
      // The mean of four frames has a zero at half the rate.
      return white.indices.dropFirst(3).map { frame -> Float in
        let swell = sin(Double(frame) / 50_000)
        let mean = white[frame - 3] + 3 * white[frame - 2] + 3 * white[frame - 1] + white[frame]
        return mean * Float(0.01 + 0.08 * swell * swell)
      }
    }
    try expectMatch(noise, Tolerance(), "noise")
  }

  /// libebur128 takes a block a second for the range, the meter ten: short music has ranges up to
  /// half an LU apart. Near half the rate it reads crests too low, and the meter less so.
  @Test(arguments: Material.allCases) func music(_ material: Material) throws {
    let tolerance = Tolerance(range: 0.5, truePeak: material == .drums ? -0.1...1 : -0.1...0.1)
    try expectMatch([material.samples, material.samples.reversed()], tolerance, "\(material)")
  }

  /// 12 dB too loud, into a ceiling of -1 dB. The short dips of Punch and Soft Clip are asked for
  /// nothing above 20 kHz, where the limiter reads crests less well.
  @Test(arguments: [(0.5, 0), (3, 0), (3, 1), (3, 2)] as [(Float, Float)])
  func nothingPassesTheLimiter(lookAhead: Float, mode: Float) throws {
    let frames = 48_000
    let signals: [[Float]] = [
      Signals.noise(frames: frames),
      (0..<frames).map { Float(sin((Double($0) + 0.5) * .pi / 2)) },
      Signals.sine(frequency: 997, frames: frames).map { $0 > 0 ? 1 : -1 },
      (0..<frames).map { $0 % 4800 < 240 ? Float(sin(Double($0))) : 0 },
      Array(Material.drums.samples.prefix(frames)).map { 4 * $0 },
    ]
    for (index, signal) in signals.enumerated() where mode == 0 || index > 0 {
      let host = try BuiltInUnit("aufx/limt/bkln").host([
        "gain": 12, "look_ahead": lookAhead, "mode": mode,
      ])
      #expect(try peer([host.play(signal)]).true_peak < -1 + 0.1, "signal \(index)")
    }
  }
}
