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

  // MARK: - Reverse

  @Test func reversedTwiceIsTheSoundItself() throws {
    let sound = [Signals.noise(frames: 5000), Signals.noise(frames: 5000, seed: 2)]
    let once = render(try host("rvrs", channels: 2), sound)
    #expect(once == sound.map { Array($0.reversed()) })
    #expect(render(try host("rvrs", channels: 2), once) == sound)
  }

  @Test func thereAndBackIsAPalindrome() throws {
    let sound = Signals.noise(frames: 3001)
    #expect(
      render(try host("rvrs", ["way": 1]), [sound]) == [sound + sound.reversed()])
  }

  // MARK: - Fade

  @Test func fadesAreTheSameInAnyBlocks() throws {
    _ = render(try host("fade", ["in": 0.05, "out": 0.1]), [Signals.noise(frames: 9600)])
  }

  // MARK: - Trim

  @Test(arguments: [(Float(0), 4800, 9600), (1, 4800, 24_000), (2, 0, 9600)])
  func whatIsLeftIsTheSoundAndItsPad(sides: Float, first: Int, end: Int) throws {
    var sound = Signals.noise(frames: 24_000).map { $0 * 1e-4 }
    let burst = Signals.sine(frequency: 500, amplitude: 0.5, frames: 4800)
    // A sine begins at 0, so its second frame is the first that is loud enough.
    sound.replaceSubrange(4800..<9600, with: burst)
    sound[9599] = 0.5
    let pad = 480
    let output = render(
      try host("trim", ["threshold": -50, "pad": Float(pad) / 48_000, "sides": sides]), [sound])
    let (from, to) = (max(0, first == 0 ? 0 : first + 1 - pad), min(24_000, end + pad))
    #expect(output == [Array(sound[from..<to])])
  }

  @Test func nothingIsLeftOfSilence() throws {
    #expect(
      try host("trim").renderOffline([Signals.constant(0, frames: 1000)]) == [[]])
  }

  // MARK: - Normalise

  @Test func peaksComeToTheirLevel() throws {
    let sound = [Signals.noise(frames: 9600).map { 0.3 * $0 }]
    let output = render(try host("norm", ["by": 0, "peak": -3]), sound)
    #expect(abs(Level.peak(output[0]) + 3) < 1e-4)
    let silence = [Signals.constant(0, frames: 9600)]
    for way: Float in [0, 1, 2] {
      #expect(render(try host("norm", ["by": way]), silence) == silence)
    }
  }

  /// The crests of this sine lie between its samples, 3.01 dB higher. It fades in and out, for sudden
  /// ends would ring higher still.
  @Test func truePeaksComeToTheirLevel() throws {
    let tone = (0..<48_000).map { frame -> Float in
      let rise = min(1, Double(min(frame, 47_999 - frame)) / 4800)
      return Float(0.25 * rise * sin((Double(frame) + 0.5) * .pi / 2))
    }
    let output = render(try host("norm", ["by": 1, "peak": -1]), [tone])
    #expect(abs(Level.peak(output[0]) + 3.0103 + 1) < 0.05)
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

  @Test(
    arguments: [
      (["stretch": 137], 65_760), (["stretch": 50], 24_000), (["by": 1, "length": 1.25], 60_000),
      (["by": 2, "from_tempo": 120, "to_tempo": 90], 64_000), (["pitch": 7], 48_000),
      (["stretch": 10, "pitch": -12], 4800),
    ] as [([String: Float], Int)])
  func lengthsAreExact(settings: [String: Float], frames: Int) throws {
    let sound = [Signals.noise(frames: 48_000)]
    #expect(try host("strt", settings).renderOffline(sound)[0].count == frames)
  }

  @Test func stretchIsTheSameInAnyBlocks() throws {
    let sound = [Signals.noise(frames: 6000), Signals.noise(frames: 6000, seed: 2)]
    _ = render(try host("strt", channels: 2, ["stretch": 150, "pitch": 3]), sound)
  }

  /// The sine that fits best, by its frequency alone: the pitch, and how pure it is.
  @Test(arguments: [Float(50), 137, 200], [Float(-12), 0, 7])
  func pitchesAreExact(stretch: Float, pitch: Float) throws {
    for frequency in [220, 997, 3000.0] {
      let tone = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 60_000)
      let output = try host("strt", ["stretch": stretch, "pitch": pitch]).renderOffline([tone])[0]
      let middle = Array(output[output.count / 4..<output.count * 3 / 4])
      let expected = frequency * pow(2, Double(pitch) / 12)
      #expect(abs(Pitch.cents(from: expected, to: Pitch.frequency(of: middle))) < 0.1)
      let sine = SineFit(middle, frequency: expected, sampleRate: 48_000)
      #expect(abs(sine.amplitude - 0.5) < 1e-4 && sine.residual < 1e-4, "\(frequency) Hz")
    }
  }

  @Test func unstretchedSoundIsTheSoundItself() throws {
    let sound = [Signals.noise(frames: 20_000)]
    let output = try host("strt").renderOffline(sound)
    let worst = zip(output[0], sound[0]).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-6)
  }

  /// 27 dB; Rubber Band R3 has 12.
  @Test func aStretchedChordStaysClear() throws {
    let output = try host("strt", ["stretch": 150]).renderOffline([CloseChord.sound])[0]
    #expect(CloseChord.clarity(of: output) > 20)
  }

  /// 25, 26 and 18 dB; Rubber Band R3 has 19 and 7.
  @Test(arguments: [(75, 0, 20), (150, 0, 20), (150, 2, 14)] as [(Float, Float, Double)])
  func stretchedHitsStaySharp(stretch: Float, material: Float, least: Double) throws {
    let output = try host("strt", ["stretch": stretch, "material": material])
      .renderOffline([Hits.sound])[0]
    #expect(Hits.sharpness(of: output, stretch: Double(stretch) / 100) > least)
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
