import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct DelayTests {
  let unit = BuiltInUnit("aufx/dely/bkln")

  /// An instance whose echoes alone are heard, with the tone open.
  private func host(
    channels: Int = 2, sampleRate: Double = 48_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    let open: [String: Float] = ["tone": 20_000, "mix": 100]
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [channels],
      outputChannels: [channels], parameters: open.merging(parameters) { $1 })
  }

  @Test(arguments: [8000.0, 44_100, 48_000, 192_000])
  func echoesFallByTheFeedbackAtExactFrames(sampleRate: Double) throws {
    let host = try host(channels: 1, sampleRate: sampleRate, ["time": 0.01, "feedback": 50])
    let period = Int(sampleRate / 100)
    let frames = 6 * period + 1
    let echoes = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    for frame in 0..<frames {
      let turn = frame / period
      let expected = frame % period == 0 && turn > 0 ? Float(pow(0.5, Double(turn - 1))) : 0
      #expect(abs(echoes[frame] - expected) < 1e-6, "frame \(frame)")
    }
  }

  /// Where the first echo is, at a tempo and in notes of a denominator. Frames
  private func firstEcho(
    sync: Float, tempo: Double?, denominator: Int32 = 4
  ) throws -> Int? {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 0, "sync": sync])
    if let tempo {
      var context = bl_musical_context()
      context.tempo = tempo
      context.time_signature_numerator = 4
      context.time_signature_denominator = denominator
      host.music = { _ in (context, bl_transport_state()) }
    }
    let frames = 200_000
    let echoes = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    return echoes.firstIndex { abs($0) > 0.5 }
  }

  @Test(
    arguments: [
      (9, 120.0 as Double?, 4, 24_000),  // a quarter of 120 beats a minute: half a second
      (9, 96, 4, 30_000), (6, 96, 4, 15_000), (7, 96, 4, 22_500), (5, 96, 4, 10_000),
      (13, 96, 4, 120_000),
      // Where an eighth is the beat, a quarter is two of them.
      (9, 96, 8, 60_000),
      // As set, or, where nobody knows the tempo, 120.
      (0, 96, 4, 480), (9, nil, 4, 24_000),
    ] as [(Int, Double?, Int, Int)])
  func timeFollowsTheTempo(sync: Int, tempo: Double?, denominator: Int, frame: Int) throws {
    let echo = try firstEcho(sync: Float(sync), tempo: tempo, denominator: Int32(denominator))
    #expect(echo == frame)
  }

  /// Twenty seconds are the longest: a whole note of 10 beats a minute lasts 24, and is halved.
  @Test func tooLongNotesAreHalved() throws {
    let host = try host(channels: 1, sampleRate: 8000, ["feedback": 0, "sync": 13])
    host.music = { _ in
      (
        bl_musical_context(
          tempo: 10, time_signature_numerator: 4, time_signature_denominator: 4, beat_position: 0,
          downbeat_position: 0, frames_to_next_beat: 0), bl_transport_state()
      )
    }
    let echoes = host.render(inputs: [[Signals.impulse(frames: 100_000)]], frames: 100_000)[0]
    #expect(echoes.firstIndex { abs($0) > 0.5 } == 96_000)
  }

  /// Dry and wet keep the power, as they are not alike.
  @Test func mixSharesDryAndWet() throws {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 0, "mix": 30])
    let output = host.render(inputs: [[Signals.impulse(frames: 481)]], frames: 481)[0]
    #expect(abs(Double(output[0]) - cos(0.15 * Double.pi)) < 1e-6)
    #expect(abs(Double(output[480]) - sin(0.15 * Double.pi)) < 1e-6)
  }

  /// A short delay is a tone: a sine whose period it is comes back in phase within 2 cents, whatever
  /// the loop's filters are, and so do the sine's harmonics as far as the filters allow.
  @Test(arguments: [44_100.0, 48_000], [(200, 20), (2500, 20), (8000, 150), (20_000, 20)])
  func aShortDelayIsInTune(sampleRate: Double, filters: (tone: Float, cut: Float)) throws {
    for key in stride(from: 45, through: 93, by: 4) {
      let pitch: Double = 440 * pow(2, Double(key - 69) / 12)
      let host = try host(
        channels: 1, sampleRate: sampleRate,
        ["time": Float(1 / pitch), "feedback": 0, "tone": filters.tone, "low_cut": filters.cut])
      let echo = host.render(inputs: [[Signals.impulse(frames: 9600)]], frames: 9600)[0]
      // The phase of the whole turn, which is a period late.
      let off = Spectrum.transform(echo, at: pitch, sampleRate: sampleRate).phase / (2 * .pi)
      #expect(abs(1200 * log2(1 - off)) < 2, "key \(key), \(filters)")
    }
  }

  /// The resonance itself: the strongest frequency of what rings on.
  @Test(arguments: [45, 57, 69, 81, 93]) func aResonatorPlaysItsNote(key: Int) throws {
    let pitch: Double = 440 * pow(2, Double(key - 69) / 12)
    let host = try host(
      channels: 1, ["time": Float(1 / pitch), "feedback": 99, "tone": 12_000])
    let ringing = host.render(inputs: [[Signals.impulse(frames: 48_000)]], frames: 48_000)[0]
    let window = ringing[480..<24_480].enumerated().map { index, sample in
      sample * Float(pow(sin(.pi * Double(index) / 24_000), 2))
    }
    let around = stride(from: -6.0, through: 6, by: 0.25).map { cents in
      (cents, Spectrum.transform(window, at: pitch * pow(2, cents / 1200)).magnitude)
    }
    let strongest = try #require(around.max { $0.1 < $1.1 })
    #expect(abs(strongest.0) <= 2)
  }

  /// A time that stands is a whole number of frames, so that no echo loses treble or level: 0.375 s
  /// at 44.1 kHz are 16537.5 frames.
  @Test func aStandingLoopLosesNothing() throws {
    let host = try host(
      channels: 1, sampleRate: 44_100, ["time": 0.0375, "feedback": 100, "drive": 0])
    let frames = 40 * 1654
    let burst = Signals.noise(frames: 1000).map { $0 * 0.5 }
    let output = host.render(
      inputs: [[burst + [Float](repeating: 0, count: frames - 1000)]], frames: frames)[0]
    #expect(Array(output[(39 * 1654)...].prefix(1000)) == burst)
  }

  /// Three heads before the last, each with its level; only the last one's echo goes round again.
  @Test func headsReadAtQuartersOfTheTime() throws {
    let host = try host(
      channels: 1,
      ["time": 0.04, "feedback": 50, "quarter": 80, "half": 60, "three_quarters": 70])
    let echoes = host.render(inputs: [[Signals.impulse(frames: 4000)]], frames: 4000)[0]
    let once: [Float] = [0.8, 0.6, 0.7, 1]
    var expected = [Float](repeating: 0, count: 4000)
    for turn in 0..<8 {
      expected[480 * (turn + 1)] = turn < 4 ? once[turn] : 0.5 * once[turn - 4]
    }
    for frame in echoes.indices {
      #expect(abs(echoes[frame] - expected[frame]) < 1e-6, "frame \(frame)")
    }
  }

  /// Each part of the input, as long as the delay, comes back from its end to its beginning, beyond
  /// the crossfade of 30 ms.
  @Test func reversePlaysEachPartBackwards() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 0, "reverse": 1])
    let input = (0..<24_000).map { Float($0) / 24_000 }
    let output = host.render(inputs: [[input]], frames: input.count)[0]
    for frame in 4800..<24_000 where frame % 4800 > 1440 {
      let (part, into) = (frame / 4800, frame % 4800)
      #expect(output[frame] == input[part * 4800 - 1 - into], "frame \(frame)")
    }
    #expect(abs(host.tailTime - 0.2) < 1e-6)
  }

  /// The seams of what is read backwards go round, too.
  @Test(arguments: [0.04, 0.25] as [Float]) func reversedEchoesFade(time: Float) throws {
    let host = try host(channels: 1, ["time": time, "feedback": 95, "reverse": 1])
    let frames = 480_000
    let sine = Signals.sine(frequency: 100, amplitude: 0.1, frames: 9600)
    let echoes = host.render(
      inputs: [[sine + Signals.constant(0, frames: frames - sine.count)]], frames: frames)[0]
    let peaks = stride(from: 0, to: frames, by: 48_000).map { start in
      echoes[start..<start + 48_000].map(abs).max() ?? 0
    }
    #expect(peaks[0] < 0.12 && zip(peaks, peaks.dropFirst()).allSatisfy { $1 < $0 })
  }

  @Test func switchingReverseDoesNotClick() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 0])
    let sine = Signals.sine(frequency: 50, frames: 48_000)
    let output = host.render(
      inputs: [[sine]], frames: 48_000,
      events: [
        .parameter(host.address("reverse"), 1, at: 20_003),
        .parameter(host.address("reverse"), 0, at: 33_001),
      ])[0]
    // A frame of the sine, up to √2 of it where parts cross over with equal power, and of 20 ms from
    // -1 to 1.
    let (sineStep, switchStep): (Float, Float) = (
      0.0066 * Float(2).squareRoot(), 2 / (0.02 * 48_000)
    )
    #expect(Signals.largestStep(Array(output[10_000...])) < sineStep + switchStep)
  }

  /// What is in the line circulates bit by bit, past all that colours it, whatever comes in.
  @Test(arguments: [0, 1]) func aFrozenLineCirculates(pingPong: Float) throws {
    let host = try host([
      "time": 0.05, "feedback": 60, "tone": 3000, "low_cut": 200, "drive": 12, "depth": 1,
      "diffusion": 70, "ping_pong": pingPong,
    ])
    let noise = Signals.noise(frames: 144_000).map { $0 * 0.3 }
    let output = host.render(
      inputs: [[noise, noise]], frames: 144_000,
      events: [.parameter(host.address("freeze"), 1, at: 24_000)])
    for channel in output {
      // By a second later the modulation has come to rest. With ping-pong a loop is two turns.
      let turns = channel[72_000...]
      #expect(turns.prefix(60_000).elementsEqual(turns.dropFirst(4800).prefix(60_000)))
    }
    #expect(output.joined().suffix(4800).contains { abs($0) > 0.1 })
    #expect(host.tailTime == .infinity)
  }

  /// The echo of an impulse is (1 - d) z + d ∏ (0.6 + z^M) / (1 + 0.6 z^M), z = exp(-iω).
  @Test(arguments: [30, 70]) func diffusionIsAShareOfFourAllpasses(percent: Float) throws {
    let host = try host(channels: 1, ["time": 0.05, "feedback": 0, "diffusion": percent])
    let frames = 48_000
    let output = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    let echo = Array(output[2400...])
    for frequency in [50.0, 333, 1000, 7001] {
      let allpasses = [398, 571, 772, 1089].map { length in
        let angle: Double = -2 * Double.pi * frequency / 48_000 * Double(length)
        let past = Phasor(cos(angle), sin(angle))
        return (Phasor(0.6) + past) / (Phasor(1) + Phasor(0.6) * past)
      }
      let smeared = allpasses.reduce(Phasor(1)) { $0 * $1 }
      let share = Double(percent) / 100
      let expected = (Phasor(1 - share) + Phasor(share) * smeared).magnitude
      let measured = Spectrum.transform(echo, at: frequency).magnitude
      #expect(abs(measured - expected) < 1e-4, "\(frequency) Hz")
    }
  }

  /// At a sine's crest, where what begins with it begins with a step. The sine's own steps are
  /// 0.0033.
  @Test(arguments: [("freeze", 1, 0), ("diffusion", 100, 960)] as [(String, Float, Int)])
  func turningItUpDoesNotClick(what: String, most: Float, ramp: Int) throws {
    let host = try host(channels: 1, ["time": 0.1031, "feedback": 0])
    let sine = Signals.sine(frequency: 50, amplitude: 0.5, frames: 96_000)
    let output = host.render(
      inputs: [[sine]], frames: 96_000,
      events: [
        .parameter(host.address(what), most, ramp: ramp, at: 20_400),
        .parameter(host.address(what), 0, ramp: ramp, at: 70_000),
      ])[0]
    #expect(Signals.largestStep(Array(output[10_000...])) < 0.005)
  }

  /// Where a ramp of the time ends within a block, and where the limiter holds meanwhile.
  @Test(arguments: [[1], [64], [17, 480]]) func aTurnedTimeIsTheSameInAnyBlocks(sizes: [Int]) throws
  {
    func render(_ sizes: [Int]) throws -> [[Float]] {
      let host = try host(
        channels: 1, sampleRate: 44_100, ["time": 0.001, "feedback": 110, "drive": 0])
      return host.render(
        inputs: [[Signals.noise(frames: 8000)]], frames: 8000, blockSizes: sizes,
        events: [.parameter(host.address("time"), 0.0166, ramp: 3874, at: 425)])
    }
    #expect(identical(try render(sizes), try render([4096])))
  }

  /// A gliding head bends the pitch by 1 - dτ/dt, where τ nears its target as a critically damped
  /// spring of 0.1 s.
  @Test func glidingBendsThePitch() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 0, "move": 1])
    let (frames, start) = (30_000, 10_000)
    let output = host.render(
      inputs: [[Signals.sine(frequency: 1000, frames: frames)]], frames: frames,
      events: [.parameter(host.address("time"), 0.15, at: start)])[0]
    func delay(_ frame: Int) -> Double {
      let t: Double = max(0, Double(frame - start + 1)) / 48_000 / 0.1
      return 0.15 - 0.05 * (1 + t) * exp(-t)
    }
    for frame in 5000..<frames {
      let expected: Double = sin(2 * Double.pi * 1000 * (Double(frame) / 48_000 - delay(frame)))
      #expect(abs(Double(output[frame]) - expected) < 0.03, "frame \(frame)")
    }
  }

  /// While the time is turned the old echoes go on, and then the new ones fade in once: a sine of
  /// 440 Hz a whole number of periods away keeps its level all the way.
  @Test func turningTheTimeDoesNotChop() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 0])
    let frames = 48_000
    let events = (1...50).map { step in
      UnitHost.Event.parameter(
        host.address("time"), 0.1 + Float(step) * 0.002, ramp: 240, at: 10_000 + step * 480)
    }
    let output = host.render(
      inputs: [[Signals.sine(frequency: 440, frames: frames)]], frames: frames, events: events)[0]
    for start in stride(from: 6000, to: frames - 120, by: 120) {
      #expect((output[start..<(start + 120)].map(abs).max() ?? 0) > 0.97, "frame \(start)")
    }
  }

  /// From one time to another what is heard of a noise keeps its power: in 30 ms, which 20 fades show.
  @Test func fadingToAnotherTimeKeepsThePower() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 0])
    let events = (1...20).map { step in
      UnitHost.Event.parameter(
        host.address("time"), step % 2 == 0 ? 0.1 : 0.15, at: step * 9600)
    }
    let frames = 21 * 9600
    let output = host.render(
      inputs: [[Signals.noise(frames: frames)]], frames: frames, events: events)[0]
    // After the 20 ms of the parameter's ramp, 50 ms of rest, and until the fade has ended.
    func power(_ from: Int) -> Double {
      var sum = 0.0
      for step in 1...20 {
        for frame in 0..<480 { sum += pow(Double(output[step * 9600 + from + frame]), 2) }
      }
      return 10 * log10(sum)
    }
    let still = power(9000)
    for from in stride(from: 2400, to: 4800, by: 120) {
      #expect(abs(power(from) - still) < 0.5, "frame \(from)")
    }
  }

  /// The place that is read moves by a sine: phase modulation by 2π · 5000 Hz · 1 ms.
  @Test func modulationIsClean() throws {
    let parameters: [String: Float] = ["time": 0.01, "feedback": 0, "rate": 10, "depth": 1]
    let host = try host(channels: 1, parameters)
    let output = host.render(
      inputs: [[Signals.sine(frequency: 5000, frames: 9600)]], frames: 9600)[0]
    let worst = (1000..<9600).map { frame in
      let time = Double(frame) / 48_000
      let delay: Double = 0.01 + 0.001 * sin(2 * Double.pi * 10 * time)
      return abs(Double(output[frame]) - sin(2 * Double.pi * 5000 * (time - delay)))
    }.max()
    #expect(try #require(worst) < 3e-5)
  }

  @Test(arguments: [(-60, 0), (-50, 0), (-35, -6), (-20, -12), (0, -12)] as [(Double, Double)])
  func ducksByItsCurve(level: Double, gain: Double) throws {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 0, "duck": 12])
    let height = pow(10, level / 20)
    let output = host.render(
      inputs: [[Signals.constant(Float(height), frames: 4800)]], frames: 4800)[0]
    #expect(abs(20 * log10(Double(output[4799]) / height) - gain) < 0.05)
  }

  @Test func lowCutIsAHighPassOfFirstOrder() throws {
    let host = try host(channels: 1, ["time": 0.02, "feedback": 0, "low_cut": 500])
    let output = host.render(inputs: [[Signals.impulse(frames: 9600)]], frames: 9600)[0]
    for frequency in [50.0, 500, 5000, 18_000] {
      let analogue: Double = 1 / (1 + pow(500 / frequency, 2)).squareRoot()
      let measured = Spectrum.transform(output, at: frequency).magnitude
      #expect(abs(20 * log10(measured / analogue)) < 0.35, "\(frequency) Hz")
    }
  }

  /// x / √(1 + (gx)²) with g = 10^(drive / 20) - 1; quiet sounds pass.
  @Test func driveBendsWhatGoesIntoTheLine() throws {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 0, "drive": 12])
    let g: Double = pow(10, 12.0 / 20) - 1
    for height in [0.5, -1, 0.001] {
      let output = host.render(
        inputs: [[Signals.constant(Float(height), frames: 1000)]], frames: 1000)[0]
      #expect(abs(Double(output[999]) / (height / sqrt(1 + g * g * height * height)) - 1) < 1e-5)
    }
  }

  /// Above 100 % a sine grows until it fills the scale, and stays a sine.
  @Test func runawayFeedbackDoesNotAlias() throws {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 110])
    let sine = Signals.sine(frequency: 4900, amplitude: 0.05, frames: 48_000)
    let output = Array(host.render(inputs: [[sine]], frames: 48_000)[0].suffix(4800))
    let level = Spectrum.amplitude(output, at: 4900)
    #expect(level > 0.9)
    for frequency in stride(from: 100.0, to: 24_000, by: 300) where frequency != 4900 {
      #expect(Spectrum.amplitude(output, at: frequency) < 1e-4 * level, "\(frequency) Hz")
    }
  }

  /// Each echo passes the loop's low-pass once more, the analogue 1 / √(1 + (f / tone)²).
  @Test(arguments: [500, 2000, 8000]) func toneDarkensEachEcho(tone: Double) throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 100, "tone": Float(tone)])
    let frames = 4 * 4800
    let output = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    for frequency in [100.0, 2000, 10_000, 18_000] {
      let once: Double = -10 * log10(1 + pow(frequency / tone, 2))
      for echo in 1...3 {
        let part = Array(output[(echo * 4800)..<((echo + 1) * 4800)])
        let measured = 20 * log10(Spectrum.transform(part, at: frequency).magnitude)
        #expect(
          abs(measured - Double(echo) * once) < 0.11 * Double(echo),
          "echo \(echo), \(frequency) Hz")
      }
    }
  }

  @Test func pingPongGoesFromSideToSide() throws {
    let host = try host(["time": 0.01, "feedback": 50, "ping_pong": 1])
    let impulse = Signals.impulse(frames: 2000)
    let output = host.render(inputs: [[impulse, impulse]], frames: 2000)
    let heights: [[Float]] = [[1, 0, 0.25, 0], [0, 0.5, 0, 0.125]]
    for side in 0...1 {
      for turn in 1...4 {
        #expect(abs(output[side][480 * turn] - heights[side][turn - 1]) < 1e-6)
      }
    }
  }

  @Test func pingPongOfOneChannelIsPlain() throws {
    let rendered = try [Float(0), 1].map { crossing in
      try host(channels: 1, ["time": 0.01, "feedback": 50, "ping_pong": crossing])
        .render(inputs: [[Signals.noise(frames: 3000)]], frames: 3000)
    }
    #expect(identical(rendered[0], rendered[1]))
  }

  /// A click would be a step far above the sine's own steepest.
  @Test(arguments: [0, 2000]) func movingTheTimeDoesNotClick(ramp: Int) throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 30])
    let frames = 96_000
    let sine = Signals.sine(frequency: 50, frames: frames)
    let time = host.address("time")
    let output = host.render(
      inputs: [[sine]], frames: frames,
      events: [
        .parameter(time, 0.7, ramp: ramp, at: 40_000),
        .parameter(time, 0.0213, ramp: ramp, at: 70_000),
      ])[0]
    // A frame of a 50 Hz sine, and of a crossfade between two places of it, echoes included.
    let sineStep: Float = 2 * Float.pi * 50 / 48_000
    let crossfadeStep: Float = 2 / (0.03 * 48_000)
    // In the middle of the crossfade, what is alike in both places is louder by up to √2.
    let most = 1.5 * Float(2).squareRoot() * (sineStep + crossfadeStep)
    #expect(Signals.largestStep(Array(output[10_000...])) < most)
    #expect(output[60_000...].contains { abs($0) > 0.5 })
  }

  @Test func switchingPingPongDoesNotClick() throws {
    let host = try host(["time": 0.1, "feedback": 50])
    let frames = 48_000
    let sine = Signals.sine(frequency: 50, frames: frames)
    let still = [Float](repeating: 0, count: frames)
    let output = host.render(
      inputs: [[sine, still]], frames: frames,
      events: [.parameter(host.address("ping_pong"), 1, at: 20_003)])
    for channel in output {
      #expect(Signals.largestStep(Array(channel[10_000...])) < 0.03)
    }
    #expect(output[1][30_000...].contains { abs($0) > 0.2 })
  }

  @Test func theMostFeedbackStaysBounded() throws {
    let host = try host(channels: 1, ["time": 0.001, "feedback": 110])
    let output = host.render(inputs: [[Signals.noise(frames: 96_000)]], frames: 200_000)[0]
    // Input ±1, and the limiter's 2.
    #expect(output.allSatisfy { abs($0) <= 3.001 })
    // Above 100 % the echoes never end.
    #expect(output[190_000...].contains { abs($0) > 0.1 })
    #expect(host.tailTime == .infinity)
  }

  @Test func theTailEndsWhenItSays() throws {
    let host = try host(channels: 1, ["time": 0.02, "feedback": 60])
    let frames = 48_000
    let output = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    let end = Int(host.tailTime * 48_000)
    #expect(output[(end + 1)...].allSatisfy { abs($0) < 1e-3 })
    #expect(output[(end - 2 * 960)...].contains { abs($0) >= 1e-3 })
  }

  /// Nothing that was in the line before comes back, however long the time is set afterwards.
  @Test func resetEmptiesTheWholeLine() throws {
    let host = try host(channels: 1, ["time": 0.5, "feedback": 100])
    _ = host.render(inputs: [[Signals.noise(frames: 300_000)]], frames: 300_000)
    host.reset()
    let output = host.render(
      frames: 250_000, events: [.parameter(host.address("time"), 3.99, at: 500)])[0]
    #expect(output.allSatisfy { $0 == 0 })
  }
}
