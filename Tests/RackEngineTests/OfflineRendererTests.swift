import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// The length and sample rate of a rendering, and what it leaves out.
struct OfflineRendererTests {
  /// A distortion that passes its dry signal only, and so adds nothing but its latency.
  private let lateUnit = "late: { unit: aufx/dist/bkln, parameters: { mix: 0 %, level: 0 dB } }"

  private func echo(time: String, feedback: Int) -> String {
    "echo: { unit: aufx/dely/bkln, parameters: "
      + "{ time: \(time), feedback: \(feedback) %, tone: 20 kHz, mix: 100 % } }"
  }

  @Test func latencyIsLeftOut() throws {
    let plan = try TestRacks.plan(units: lateUnit, "in -> late -> out")
    let sine = Signals.sine(frequency: 500, amplitude: 0.5, frames: 4800)
    let output = try OfflineRendering(plan, inputs: ["in": [sine]]).output[0]
    let fit = SineFit(output[960..<3840], frequency: 500, sampleRate: 48_000)
    #expect(abs(fit.amplitude - 0.5) < 1e-3 && abs(fit.phase) < 1e-3)

    let late = try OfflineRendering(plan, inputs: ["in": [sine]]) {
      $0.removesLatency = false
      $0.length = 0.1
    }.output[0]
    let lateFit = SineFit(late[960..<3840], frequency: 500, sampleRate: 48_000)
    #expect(lateFit.phase < -0.1)
    let shift = Int((-lateFit.phase / (2 * .pi) * 96).rounded())
    #expect(firstDifference(late[shift...], output[..<(4800 - shift)]) == nil)
  }

  @Test(arguments: [("", 12_000), ("tempo: 90 bpm", 16_000), ("tempo: 240", 6000)])
  func echoesAreInTheRacksTempo(tempo: String, frame: Int) throws {
    let plan = try TestRacks.plan(
      """
      rack: Tempo
      inputs: { in: }
      outputs: { out: { channels: 1 } }
      units:
        echo: { unit: Delay, parameters: { sync: 1/8, feedback: 50 %, mix: 100 %, tone: 20 kHz } }
      connections: [in -> echo -> out]
      \(tempo)
      """)
    let impulse = Signals.impulse(frames: 100)
    let output = try OfflineRendering(plan, inputs: ["in": [impulse]]).output[0]
    #expect(output.firstIndex { abs($0) > 0.9 } == frame)
    #expect(abs(output[2 * frame] - 0.5) < 1e-6)
  }

  @Test func theTailIsRenderedAndEnds() throws {
    let plan = try TestRacks.plan(units: echo(time: "50 ms", feedback: 50), "in -> echo -> out")
    let impulse = Signals.impulse(amplitude: 0.8, frames: 100)
    let output = try OfflineRendering(plan, inputs: ["in": [impulse]]).output[0]
    // The tail is rendered down to a thousandth at least, but not forever.
    #expect(output.count > 10 * 2400 && output.count < 48_000)
    for turn in 1...10 {
      let expected = 0.8 * Float(pow(0.5, Double(turn - 1)))
      #expect(abs(output[turn * 2400] - expected) < 1e-6)
    }
  }

  /// The echo comes after a longer silence than the one that ends an endless tail.
  @Test func aLateEchoIsNotCutOff() throws {
    let plan = try TestRacks.plan(units: echo(time: "4 s", feedback: 0), "in -> echo -> out")
    let output = try OfflineRendering(
      plan, inputs: ["in": [Signals.impulse(frames: 80)]], sampleRate: 8000
    ).output[0]
    #expect(output.count > 32_000)
    #expect(output.count > 32_000 && abs(output[32_000] - 1) < 1e-6)
  }

  @Test func aTailWithoutAnEndIsEndedInTime() throws {
    let plan = try TestRacks.plan(units: echo(time: "1 s", feedback: 100), "in -> echo -> out")
    let impulse = try OfflineRendering(
      plan, inputs: ["in": [Signals.impulse(frames: 10)]], sampleRate: 8000)
    #expect(impulse.result.frames == 10 + 30 * 8000)
    let silence = try OfflineRendering(
      plan, inputs: ["in": [Signals.constant(0, frames: 10)]], sampleRate: 8000)
    #expect(silence.result.frames < 8 * 8000)
  }

  @Test func aTailThatAutomationLengthensIsRendered() throws {
    let plan = try TestRacks.plan(units: echo(time: "50 ms", feedback: 0), "in -> echo -> out")
    let change = try Automations.change(plan, unit: 0, "feedback", to: 50, at: 0)
    let impulse = Signals.impulse(frames: 4800)
    let output = try OfflineRendering(plan, inputs: ["in": [impulse]]) {
      $0.automation = [change]
    }.output[0]
    try #require(output.count > 10 * 2400)
    #expect(abs(output[2 * 2400] - 0.5) < 0.01)
  }

  @Test func aLengthIsKeptToTheFrame() throws {
    let plan = try TestRacks.plan(units: echo(time: "1 s", feedback: 50), "in -> echo -> out")
    let rendering = try OfflineRendering(plan, inputs: ["in": [Signals.noise(frames: 48_000)]]) {
      $0.length = 0.25
    }
    #expect(rendering.output[0].count == 12_000 && rendering.result.frames == 12_000)
  }

  @Test func outputsOfDifferentLatencyAreEquallyLong() throws {
    let plan = try TestRacks.plan(
      """
      rack: Two
      inputs: { in: {} }
      outputs: { wet: {}, dry: {} }
      units: { \(lateUnit) }
      connections: [ in -> late -> wet, in -> dry ]
      """)
    let outputs = try OfflineRendering(plan, inputs: ["in": [Signals.noise(frames: 3000)]]).outputs
    #expect(outputs["wet"]?.first?.count == outputs["dry"]?.first?.count)
  }

  @Test func aFileOfAnotherRateKeepsItsPitch() throws {
    let plan = try TestRacks.plan(
      units: "gain: { unit: aufx/gain/bkln }", "in -> gain -> out")
    let folder = try TemporaryFolder()
    let file = try SoundFile.sine(1000, frames: 44_100, sampleRate: 44_100)
      .write(folder.path("sine.wav"))
    let rendering = try OfflineRendering(plan) { $0.inputs = ["in": file] }
    #expect(rendering.sampleRate == 48_000 && rendering.output[0].count == 48_000)
    let fit = SineFit(rendering.output[0][2000..<46_000], frequency: 1000, sampleRate: 48_000)
    #expect(abs(fit.amplitude - 0.5) < 1e-4 && fit.residual < 1e-4)

    let own = try OfflineRendering(plan) { job in
      job.inputs = ["in": file]
      job.sampleRate = nil
    }
    #expect(own.sampleRate == 44_100 && own.output[0].count == 44_100)
  }

  @Test func oneChannelFeedsAStereoInput() throws {
    let plan = try TestRacks.plan(
      channels: 2, units: "gain: { unit: aufx/gain/bkln }", "in -> gain -> out")
    let noise = Signals.noise(frames: 2000)
    let output = try OfflineRendering(plan, inputs: ["in": [noise]]).output
    #expect(firstDifference(output.map { Array($0.prefix(2000)) }, [noise, noise]) == nil)
  }

  @Test func anInputWithoutAFileIsSilent() throws {
    let plan = try TestRacks.plan(units: "gain: { unit: aufx/gain/bkln }", "in -> gain -> out")
    let rendering = try OfflineRendering(plan) { $0.length = 0.1 }
    #expect(rendering.result.peak == 0 && rendering.output[0].count == 4800)
  }
}
