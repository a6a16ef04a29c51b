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
      // Four seconds are the longest: eight are halved.
      (13, 30, 4, 192_000),
      // As set, or, where nobody knows the tempo, 120.
      (0, 96, 4, 480), (9, nil, 4, 24_000),
    ] as [(Int, Double?, Int, Int)])
  func timeFollowsTheTempo(sync: Int, tempo: Double?, denominator: Int, frame: Int) throws {
    let echo = try firstEcho(sync: Float(sync), tempo: tempo, denominator: Int32(denominator))
    #expect(echo == frame)
  }

  @Test func mixSharesDryAndWet() throws {
    let host = try host(channels: 1, ["time": 0.01, "feedback": 0, "mix": 30])
    let output = host.render(inputs: [[Signals.impulse(frames: 481)]], frames: 481)[0]
    #expect(abs(output[0] - 0.7) < 1e-6)
    #expect(abs(output[480] - 0.3) < 1e-6)
  }

  /// Between two frames the line interpolates: the echo of a low sine is that sine, late by the
  /// exact time.
  @Test func timesBetweenFramesAreInterpolated() throws {
    let time = 0.01001  // 480.48 frames
    let host = try host(channels: 1, ["time": Float(time), "feedback": 0])
    let frames = 4000
    let echo = host.render(
      inputs: [[Signals.sine(frequency: 1000, frames: frames)]], frames: frames)[0]
    for frame in 600..<frames {
      let expected: Double = sin(2 * Double.pi * 1000 * (Double(frame) / 48_000 - time))
      #expect(abs(Double(echo[frame]) - expected) < 2e-4)
    }
  }

  /// Each echo passes the loop's low-pass once more: a sampled first-order exponential.
  @Test func toneDarkensEachEcho() throws {
    let host = try host(channels: 1, ["time": 0.1, "feedback": 100, "tone": 2000])
    let frames = 4 * 4800
    let output = host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
    let pole: Double = exp(-2 * Double.pi * 2000 / 48_000)
    for frequency in [100.0, 2000, 10_000] {
      let angle: Double = 2 * Double.pi * frequency / 48_000
      let z = Phasor(cos(angle) - pole, sin(angle))
      let once: Double = (1 - pole) / z.magnitude
      for echo in 1...3 {
        let part = Array(output[(echo * 4800)..<((echo + 1) * 4800)])
        let measured = Spectrum.transform(part, at: frequency).magnitude
        #expect(abs(measured - pow(once, Double(echo))) < 1e-4, "echo \(echo), \(frequency) Hz")
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
    #expect(Signals.largestStep(Array(output[10_000...])) < 1.5 * (sineStep + crossfadeStep))
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
