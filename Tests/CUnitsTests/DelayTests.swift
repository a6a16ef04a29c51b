import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct DelayTests {
  let unit = BuiltInUnit("aufx/dely/bkln")

  /// An instance whose echoes alone are heard, with the tone open.
  private func host(
    channels: Int = 1, sampleRate: Double = 48_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    let open: [String: Float] = ["tone": 20_000, "mix": 100]
    return try unit.host(
      channels: channels, sampleRate: sampleRate, open.merging(parameters) { $1 })
  }

  @Test(
    arguments: [
      (9, 120.0 as Double?, 4, 24_000),  // a quarter of 120 beats a minute: half a second
      (9, 96, 4, 30_000), (6, 96, 4, 15_000), (7, 96, 4, 22_500), (5, 96, 4, 10_000),
      (13, 96, 4, 120_000),
      // Where an eighth is the beat, a quarter is two of them.
      (9, 96, 8, 60_000),
      // The time is as set, or, where nobody knows the tempo, that of 120.
      (0, 96, 4, 480), (9, nil, 4, 24_000),
    ] as [(Float, Double?, Int32, Int)])
  func timeFollowsTheTempo(sync: Float, tempo: Double?, denominator: Int32, frame: Int) throws {
    let host = try host(["time": 0.01, "feedback": 0, "sync": sync])
    if let tempo {
      var context = bl_musical_context()
      context.tempo = tempo
      context.time_signature_numerator = 4
      context.time_signature_denominator = denominator
      host.music = { [context] _ in (context, bl_transport_state()) }
    }
    let echo = host.impulseResponse(frames: 200_000).firstIndex { abs($0) > 0.5 }
    #expect(echo == frame)
  }

  /// Twenty seconds are the longest: a whole note of 10 beats a minute lasts 24, and is halved.
  @Test func tooLongNotesAreHalved() throws {
    let host = try host(sampleRate: 8000, ["feedback": 0, "sync": 13])
    host.roll(tempo: 10) { _ in false }
    #expect(host.impulseResponse(frames: 100_000).firstIndex { abs($0) > 0.5 } == 96_000)
  }

  /// Dry and wet keep the power, as they are not alike.
  @Test func mixSharesDryAndWet() throws {
    let host = try host(["time": 0.01, "feedback": 0, "mix": 30])
    let output = host.impulseResponse(frames: 481)
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
        sampleRate: sampleRate,
        ["time": Float(1 / pitch), "feedback": 0, "tone": filters.tone, "low_cut": filters.cut])
      let echo = host.impulseResponse(frames: 9600)
      // The phase of the whole turn, which is a period late.
      let off = Spectrum.transform(echo, at: pitch, sampleRate: sampleRate).phase / (2 * .pi)
      #expect(abs(1200 * log2(1 - off)) < 2, "key \(key), \(filters)")
    }
  }

  /// The strongest frequency of what rings on is the note.
  @Test(arguments: [45, 57, 69, 81, 93]) func aResonatorPlaysItsNote(key: Int) throws {
    let pitch: Double = 440 * pow(2, Double(key - 69) / 12)
    let host = try host(["time": Float(1 / pitch), "feedback": 99, "tone": 12_000])
    let ringing = host.impulseResponse(frames: 48_000)
    let window = ringing[480..<24_480].enumerated().map { index, sample in
      sample * Float(pow(sin(.pi * Double(index) / 24_000), 2))
    }
    let around = stride(from: -6.0, through: 6, by: 0.25).map { cents in
      (cents, Spectrum.transform(window, at: pitch * pow(2, cents / 1200)).magnitude)
    }
    let strongest = try #require(around.max { $0.1 < $1.1 })
    #expect(abs(strongest.0) <= 2)
  }

  /// Three heads before the last, each with its level; only the last one's echo goes round again.
  @Test func headsReadAtQuartersOfTheTime() throws {
    let host = try host(
      ["time": 0.04, "feedback": 50, "quarter": 80, "half": 60, "three_quarters": 70])
    let echoes = host.impulseResponse(frames: 4000)
    let once: [Float] = [0.8, 0.6, 0.7, 1]
    var expected = [Float](repeating: 0, count: 4000)
    for turn in 0..<8 {
      expected[480 * (turn + 1)] = turn < 4 ? once[turn] : 0.5 * once[turn - 4]
    }
    #expect(Deviation.worst(of: echoes, from: expected) < 1e-6)
  }

  /// Each part of the input, as long as the delay, comes back from its end to its beginning, beyond
  /// the crossfade of 30 ms.
  @Test func reversePlaysEachPartBackwards() throws {
    let host = try host(["time": 0.1, "feedback": 0, "reverse": 1])
    let input = (0..<24_000).map { Float($0) / 24_000 }
    let output = host.play(input)
    for frame in 4800..<24_000 where frame % 4800 > 1440 {
      let (part, into) = (frame / 4800, frame % 4800)
      #expect(output[frame] == input[part * 4800 - 1 - into], "frame \(frame)")
    }
    #expect(abs(host.tailTime - 0.2) < 1e-6)
  }

  /// The seams of what is read backwards go round, too.
  @Test(arguments: [0.04, 0.25] as [Float]) func reversedEchoesFade(time: Float) throws {
    let host = try host(["time": time, "feedback": 95, "reverse": 1])
    let frames = 480_000
    let sine = Signals.sine(frequency: 100, amplitude: 0.1, frames: 9600)
    let echoes = host.play(sine + Signals.constant(0, frames: frames - sine.count))
    let peaks = stride(from: 0, to: frames, by: 48_000).map { start in
      echoes[start..<start + 48_000].map(abs).max() ?? 0
    }
    #expect(peaks[0] < 0.12 && zip(peaks, peaks.dropFirst()).allSatisfy { $1 < $0 })
  }

  @Test func switchingReverseDoesNotClick() throws {
    let host = try host(["time": 0.1, "feedback": 0])
    let sine = Signals.sine(frequency: 50, frames: 48_000)
    let output = host.play(
      sine,
      events: [
        .parameter(host.address("reverse"), 1, at: 20_003),
        .parameter(host.address("reverse"), 0, at: 33_001),
      ])
    // A frame of the sine, up to √2 of it where parts cross over with equal power, and of 20 ms from
    // -1 to 1.
    let (sineStep, switchStep): (Float, Float) = (
      0.0066 * Float(2).squareRoot(), 2 / (0.02 * 48_000)
    )
    #expect(Signals.largestStep(Array(output[10_000...])) < sineStep + switchStep)
  }

  /// At a sine's crest, where what begins with it begins with a step. The sine's own steps are
  /// 0.0033.
  @Test(arguments: [("freeze", 1, 0), ("diffusion", 100, 960)] as [(String, Float, Int)])
  func turningItUpDoesNotClick(what: String, most: Float, ramp: Int) throws {
    let host = try host(["time": 0.1031, "feedback": 0])
    let sine = Signals.sine(frequency: 50, amplitude: 0.5, frames: 96_000)
    let output = host.play(
      sine,
      events: [
        .parameter(host.address(what), most, ramp: ramp, at: 20_400),
        .parameter(host.address(what), 0, ramp: ramp, at: 70_000),
      ])
    #expect(Signals.largestStep(Array(output[10_000...])) < 0.005)
  }

  /// A ramp of the time ends within a block, and the limiter holds meanwhile.
  @Test(arguments: [[1], [64], [17, 480]]) func aTurnedTimeIsTheSameInAnyBlocks(sizes: [Int]) throws
  {
    func render(_ sizes: [Int]) throws -> [[Float]] {
      let host = try host(sampleRate: 44_100, ["time": 0.001, "feedback": 110, "drive": 0])
      return host.render(
        inputs: [[Signals.noise(frames: 8000)]], frames: 8000, blockSizes: sizes,
        events: [.parameter(host.address("time"), 0.0166, ramp: 3874, at: 425)])
    }
    #expect(identical(try render(sizes), try render([4096])))
  }

  /// A gliding head bends the pitch by 1 - dτ/dt, where τ nears its target as a critically damped
  /// spring of 0.1 s.
  @Test func glidingBendsThePitch() throws {
    let host = try host(["time": 0.1, "feedback": 0, "move": 1])
    let (frames, start) = (30_000, 10_000)
    let output = host.play(
      Signals.sine(frequency: 1000, frames: frames),
      events: [.parameter(host.address("time"), 0.15, at: start)])
    func delay(_ frame: Int) -> Double {
      let t: Double = max(0, Double(frame - start + 1)) / 48_000 / 0.1
      return 0.15 - 0.05 * (1 + t) * exp(-t)
    }
    let worst = Deviation.worst(of: output[5000...]) { frame in
      sin(2 * Double.pi * 1000 * (Double(frame) / 48_000 - delay(frame)))
    }
    #expect(worst < 0.03)
  }

  /// While the time is turned the old echoes go on, and then the new ones fade in once: a sine of
  /// 440 Hz a whole number of periods away keeps its level all the way.
  @Test func turningTheTimeDoesNotChop() throws {
    let host = try host(["time": 0.1, "feedback": 0])
    let frames = 48_000
    let events = (1...50).map { step in
      UnitHost.Event.parameter(
        host.address("time"), 0.1 + Float(step) * 0.002, ramp: 240, at: 10_000 + step * 480)
    }
    let output = host.play(Signals.sine(frequency: 440, frames: frames), events: events)
    for start in stride(from: 6000, to: frames - 120, by: 120) {
      #expect((output[start..<(start + 120)].map(abs).max() ?? 0) > 0.97, "frame \(start)")
    }
  }

  /// From one time to another what is heard of a noise keeps its power: in 30 ms, which 20 fades show.
  @Test func fadingToAnotherTimeKeepsThePower() throws {
    let host = try host(["time": 0.1, "feedback": 0])
    let events = (1...20).map { step in
      UnitHost.Event.parameter(host.address("time"), step % 2 == 0 ? 0.1 : 0.15, at: step * 9600)
    }
    let frames = 21 * 9600
    let output = host.play(Signals.noise(frames: frames), events: events)
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
    let host = try host(["time": 0.01, "feedback": 0, "rate": 10, "depth": 1])
    let output = host.play(Signals.sine(frequency: 5000, frames: 9600))
    let worst = Deviation.worst(of: output[1000...]) { frame in
      let time = Double(frame) / 48_000
      let delay: Double = 0.01 + 0.001 * sin(2 * Double.pi * 10 * time)
      return sin(2 * Double.pi * 5000 * (time - delay))
    }
    #expect(worst < 3e-5)
  }

  @Test func lowCutIsAHighPassOfFirstOrder() throws {
    let host = try host(["time": 0.02, "feedback": 0, "low_cut": 500])
    let response = FrequencyResponse(host, frames: 9600)
    for frequency in [50.0, 500, 5000, 18_000] {
      let analogue: Double = -10 * log10(1 + pow(500 / frequency, 2))
      #expect(abs(response.gain(at: frequency) - analogue) < 0.35, "\(frequency) Hz")
    }
  }

  /// x / √(1 + (gx)²) with g = 10^(drive / 20) - 1; quiet sounds pass.
  @Test func driveBendsWhatGoesIntoTheLine() throws {
    let host = try host(["time": 0.01, "feedback": 0, "drive": 12])
    let g: Double = pow(10, 12.0 / 20) - 1
    for height in [0.5, -1, 0.001] {
      let output = host.play(Signals.constant(Float(height), frames: 1000))
      #expect(abs(Double(output[999]) / (height / sqrt(1 + g * g * height * height)) - 1) < 1e-5)
    }
  }

  /// Each echo passes the loop's low-pass once more, the analogue 1 / √(1 + (f / tone)²).
  @Test(arguments: [500, 2000, 8000]) func toneDarkensEachEcho(tone: Double) throws {
    let host = try host(["time": 0.1, "feedback": 100, "tone": Float(tone)])
    let output = host.impulseResponse(frames: 4 * 4800)
    for frequency in [100.0, 2000, 10_000, 18_000] {
      let once: Double = -10 * log10(1 + pow(frequency / tone, 2))
      for echo in 1...3 {
        let part = FrequencyResponse(of: Array(output[(echo * 4800)..<((echo + 1) * 4800)]))
        let difference = part.gain(at: frequency) - Double(echo) * once
        #expect(abs(difference) < 0.11 * Double(echo), "echo \(echo), \(frequency) Hz")
      }
    }
  }

  @Test func pingPongGoesFromSideToSide() throws {
    let host = try host(channels: 2, ["time": 0.01, "feedback": 50, "ping_pong": 1])
    let impulse = Signals.impulse(frames: 2000)
    let output = host.play([impulse, impulse])
    let heights: [[Float]] = [[1, 0, 0.25, 0], [0, 0.5, 0, 0.125]]
    for side in 0...1 {
      for turn in 1...4 {
        #expect(abs(output[side][480 * turn] - heights[side][turn - 1]) < 1e-6)
      }
    }
  }

  @Test func pingPongOfOneChannelIsPlain() throws {
    let rendered = try [Float(0), 1].map { crossing in
      try host(["time": 0.01, "feedback": 50, "ping_pong": crossing])
        .play([Signals.noise(frames: 3000)])
    }
    #expect(identical(rendered[0], rendered[1]))
  }

  /// A click would be a step far above the sine's own steepest.
  @Test(arguments: [0, 2000]) func movingTheTimeDoesNotClick(ramp: Int) throws {
    let host = try host(["time": 0.1, "feedback": 30])
    let sine = Signals.sine(frequency: 50, frames: 96_000)
    let time = host.address("time")
    let output = host.play(
      sine,
      events: [
        .parameter(time, 0.7, ramp: ramp, at: 40_000),
        .parameter(time, 0.0213, ramp: ramp, at: 70_000),
      ])
    // A frame of a 50 Hz sine, and of a crossfade between two places of it, echoes included.
    let sineStep: Float = 2 * Float.pi * 50 / 48_000
    let crossfadeStep: Float = 2 / (0.03 * 48_000)
    // In the middle of the crossfade, what is alike in both places is louder by up to √2.
    let most = 1.5 * Float(2).squareRoot() * (sineStep + crossfadeStep)
    #expect(Signals.largestStep(Array(output[10_000...])) < most)
    #expect(output[60_000...].contains { abs($0) > 0.5 })
  }

  @Test func switchingPingPongDoesNotClick() throws {
    let host = try host(channels: 2, ["time": 0.1, "feedback": 50])
    let sine = Signals.sine(frequency: 50, frames: 48_000)
    let output = host.play(
      [sine, Signals.constant(0, frames: 48_000)],
      events: [.parameter(host.address("ping_pong"), 1, at: 20_003)])
    for channel in output {
      #expect(Signals.largestStep(Array(channel[10_000...])) < 0.03)
    }
    #expect(output[1][30_000...].contains { abs($0) > 0.2 })
  }

  @Test func aFrozenLineHasNoEnd() throws {
    #expect(try host(["freeze": 1]).tailTime == .infinity)
  }

  @Test func theMostFeedbackStaysBounded() throws {
    let host = try host(["time": 0.001, "feedback": 110])
    let output = host.render(inputs: [[Signals.noise(frames: 96_000)]], frames: 200_000)[0]
    // Input ±1, and the limiter's 2.
    #expect(output.allSatisfy { abs($0) <= 3.001 })
    // Above 100 % the echoes never end.
    #expect(output[190_000...].contains { abs($0) > 0.1 })
    #expect(host.tailTime == .infinity)
  }

  @Test func theTailEndsWhenItSays() throws {
    let host = try host(["time": 0.02, "feedback": 60])
    let output = host.impulseResponse(frames: 48_000)
    let end = Int(host.tailTime * 48_000)
    #expect(output[(end + 1)...].allSatisfy { abs($0) < 1e-3 })
    #expect(output[(end - 2 * 960)...].contains { abs($0) >= 1e-3 })
  }

  /// Nothing that was in the line before comes back, however long the time is set afterwards.
  @Test func resetEmptiesTheWholeLine() throws {
    let host = try host(["time": 0.5, "feedback": 100])
    _ = host.render(inputs: [[Signals.noise(frames: 300_000)]], frames: 300_000)
    host.reset()
    let output = host.render(
      frames: 250_000, events: [.parameter(host.address("time"), 3.99, at: 500)])[0]
    #expect(output.allSatisfy { $0 == 0 })
  }
}
