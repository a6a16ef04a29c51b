import BacklineTestSupport
import Foundation
import RackEngine
import RackTestSupport
import Testing

@testable import RackModel

/// Parallel chains into a mixer, checked by formula.
struct ParallelTests {
  private func gain(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Each path has its gain and pan; the mono sources are panned with equal power.
  @Test func waysAddUpByTheirGainsAndPans() throws {
    let plan = try TestRacks.plan(
      """
      rack: Ways
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 2 } }
      units:
        soft: { unit: aufx/gain/bkln, parameters: { gain: -3 dB } }
        echo:
          unit: aufx/dely/bkln
          parameters: { time: 10 ms, feedback: 0 %, tone: 20 kHz, mix: 100 % }
        mix:
          unit: aumx/mixr/bkln
          inputs: 3
          channels: 2
          parameters:
            1.gain: -6 dB
            1.pan: L50
            2.gain: 2 dB
            2.pan: R100
            3.mute: on
            master: -1 dB
      connections: [ in -> soft -> mix.1, in -> echo -> mix.2, in -> mix.3, mix -> out ]
      """)
    let noise = Signals.noise(frames: 4000)
    let output = try OfflineRendering(plan, inputs: ["in": [noise]]).output
    for frame in 0..<4000 {
      let direct = Double(noise[frame]) * gain(-3 - 6 - 1)
      let echo = frame >= 480 ? Double(noise[frame - 480]) * gain(2 - 1) : 0
      let left = cos(0.5 * .pi / 4) * direct
      let right = sin(0.5 * .pi / 4) * direct + echo
      guard abs(Double(output[0][frame]) - left) < 1e-5,
        abs(Double(output[1][frame]) - right) < 1e-5
      else {
        Issue.record("frame \(frame)")
        return
      }
    }
  }

  /// The late path is a distortion that passes its dry signal only.
  @Test func waysOfDifferentLatencyMeetInTime() throws {
    let plan = try TestRacks.plan(
      channels: 2,
      units: """
        late: { unit: aufx/dist/bkln, parameters: { mix: 0 %, level: 0 dB } }
        quiet: { unit: aufx/gain/bkln }
        mix: { unit: aumx/mixr/bkln, inputs: 2, channels: 2 }
        """,
      "in -> late -> mix.1", "in -> quiet -> mix.2", "mix -> out")
    let sine = Signals.sine(frequency: 1000, amplitude: 0.4, frames: 9600)
    let output = try OfflineRendering(plan, inputs: ["in": [sine, sine]]).output[0]
    let fit = SineFit(output[960..<8640], frequency: 1000, sampleRate: 48_000)
    // In phase the paths add up to twice the level, and any shift would show in the phase.
    #expect(abs(fit.amplitude - 0.8) < 2e-3 && abs(fit.phase) < 1e-3)
  }

  /// The paths are a muted crusher, the clean path and the first echo.
  @Test func aRackIsTheSumOfItsWays() throws {
    let plan = try TestRacks.plan(
      channels: 2,
      units: """
        crush: { unit: aufx/dist/bkln, preset: Drum Smash }
        echo: { unit: aufx/dely/bkln, preset: Dotted Eighth, parameters: { mix: 100 % } }
        mix:
          unit: aumx/mixr/bkln
          inputs: 3
          parameters: { 1.gain: -4 dB, 2.mute: on, 3.gain: -11 dB, 3.pan: R40 }
        """,
      "in -> mix.1", "in -> crush -> mix.2", "in -> echo -> mix.3", "mix -> out")
    let frames = 18_000  // exactly the echo's 375 ms
    let noise = Signals.noise(frames: frames)
    let output = try OfflineRendering(plan, inputs: ["in": [noise, noise]]).output
    let clean = noise.map { $0 * Float(gain(-4)) }
    for channel in output {
      let wrong = (0..<frames).first { abs(channel[$0] - clean[$0]) > 1e-5 }
      #expect(wrong == nil)
    }
    // The echo follows alone, its left side attenuated by the balance R40.
    let left = output[0][frames..<(2 * frames)]
    let right = output[1][frames..<(2 * frames)]
    #expect(right.contains { $0.magnitude > 0.1 })
    let balance = Float(cos(0.4 * .pi / 2))
    #expect(!zip(left, right).contains { abs($0 - balance * $1) > 1e-5 })
  }
}
