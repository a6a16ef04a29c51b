import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The chorus and the flanger, which share all but their tables.
@Suite struct ChorusTests {
  private func host(
    _ unit: String, channels: Int = 1, sampleRate: Double = 48_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    try UnitHost(
      BuiltInUnit(unit).descriptor, sampleRate: sampleRate, inputChannels: [channels],
      outputChannels: [channels], parameters: parameters)
  }

  /// One voice alone is the sound at t - delay - depth · sin(2π · rate · t): its pitch is off by
  /// depth · 2π · rate at most.
  @Test(arguments: [(1000.0, 1e-5), (13_000, 5e-5)])
  func aVoiceIsTheSoundAtAMovingPlace(frequency: Double, tolerance: Double) throws {
    let host = try host(
      "aufx/chor/bkln", ["voices": 1, "mix": 100, "rate": 5, "depth": 1.5, "delay": 8])
    let frames = 12_000
    let output = host.render(
      inputs: [[Signals.sine(frequency: frequency, frames: frames)]], frames: frames)[0]
    for frame in 1000..<frames {
      let time = Double(frame) / 48_000
      let delay: Double = 0.008 + 0.0015 * sin(2 * Double.pi * 5 * time)
      let expected: Double = sin(2 * Double.pi * frequency * (time - delay))
      #expect(abs(Double(output[frame]) - expected) < tolerance, "frame \(frame)")
    }
  }

  /// The second channel's voice is ahead by the spread, and the rate follows the tempo: a half of
  /// 150 beats a minute lasts 0.8 s.
  @Test func spreadAndSyncTurnTheSweep() throws {
    let host = try host(
      "aufx/chor/bkln", channels: 2,
      ["voices": 1, "mix": 100, "sync": 11, "depth": 1, "delay": 5, "spread": 90])
    host.music = { _ in
      (
        bl_musical_context(
          tempo: 150, time_signature_numerator: 4, time_signature_denominator: 4, beat_position: 0,
          downbeat_position: 0, frames_to_next_beat: 0), bl_transport_state()
      )
    }
    let ramp = (0..<40_000).map { Float($0) / 48_000 }
    let output = host.render(inputs: [[ramp, ramp]], frames: 40_000)
    for frame in stride(from: 1000, to: 40_000, by: 777) {
      let time = Double(frame) / 48_000
      for (side, turns) in [0, 0.25].enumerated() {
        let delay: Double = 0.005 + 0.001 * sin(2 * Double.pi * (time / 0.8 + turns))
        #expect(abs(Double(output[side][frame]) - (time - delay)) < 1e-6)
      }
    }
  }

  /// In Dimension each side takes away what it gives the other, so that in mono only the dry sound
  /// is left.
  @Test func dimensionVanishesInMono() throws {
    let host = try host("aufx/chor/bkln", channels: 2, ["dimension": 1, "voices": 3, "mix": 50])
    let noise = Signals.noise(frames: 5000)
    let output = host.render(inputs: [[noise, noise]], frames: 5000)
    for frame in 0..<5000 {
      let mono = 0.5 * (output[0][frame] + output[1][frame])
      #expect(abs(mono - noise[frame] * Float(0.5).squareRoot()) < 1e-6)
    }
    #expect(output[0] != output[1])
  }

  /// An equal mix has notches at (2k + 1) / 2τ.
  @Test(arguments: [44_100.0, 96_000]) func theFlangerIsAComb(sampleRate: Double) throws {
    let host = try host(
      "aufx/flng/bkln", sampleRate: sampleRate, ["depth": 0, "feedback": 0, "delay": 2.5])
    let response = host.render(inputs: [[Signals.impulse(frames: 1000)]], frames: 1000)[0]
    func level(_ frequency: Double) -> Double {
      20
        * log10(
          Spectrum.transform(response, at: frequency, sampleRate: sampleRate).magnitude
            / 2.0.squareRoot())
    }
    for k in [0.0, 3, 10, 30] {
      let notch = (2 * k + 1) / 2 / 0.0025
      #expect(level(notch) < -60)
      #expect(abs(level(notch + 200)) < 0.01)
      #expect(abs(level(notch + 100) + 3.0103) < 0.01)
    }
  }

  /// Feedback g makes peaks of 1 / (1 - |g|).
  @Test(arguments: [0.5, -0.9, 0.99]) func feedbackResonates(feedback: Double) throws {
    let host = try host(
      "aufx/flng/bkln", ["depth": 0, "feedback": Float(feedback * 100), "delay": 1, "mix": 100])
    let response = host.render(inputs: [[Signals.impulse(frames: 60_000)]], frames: 60_000)[0]
    for k in [1.0, 5, 12] {
      let peak = (feedback > 0 ? k : k - 0.5) * 1000
      let measured = Spectrum.transform(response, at: peak).magnitude * (1 - abs(feedback))
      #expect(abs(20 * log10(measured)) < 0.1, "\(peak) Hz")
    }
  }

  /// Where the sweep passes the waiting input, an inverted copy cancels it.
  @Test func throughZeroCancels() throws {
    let host = try host(
      "aufx/flng/bkln", ["depth": 0, "feedback": 0, "delay": 3, "mix": -50, "through_zero": 1])
    #expect(host.latency == 144)
    let output = host.render(inputs: [[Signals.noise(frames: 3000)]], frames: 3000)[0]
    #expect(output.allSatisfy { abs($0) < 1e-6 })
  }

  @Test(arguments: ["aufx/chor/bkln", "aufx/flng/bkln"]) func noMixChangesNothing(
    unit: String
  ) throws {
    let host = try host(unit, ["mix": 0])
    let noise = [Signals.noise(frames: 900)]
    #expect(identical(host.render(inputs: [noise], frames: 900), noise))
  }
}
