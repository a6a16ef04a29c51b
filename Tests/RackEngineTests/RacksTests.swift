import BacklineTestSupport
import Foundation
import RackEngine
import RackTestSupport
import Testing

/// The racks that ship, as a musician meets them.
struct RacksTests {
  @Test func eightShip() {
    #expect(TestRacks.shipped.count >= 8)
    for name in TestRacks.shipped {
      #expect(name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(name)")
    }
  }

  @Test(arguments: TestRacks.shipped) func eachChecksWithoutAWord(name: String) throws {
    let (plan, diagnostics) = try TestRacks.check(shipped: name)
    #expect(diagnostics.isEmpty)
    let rack = try #require(plan)
    #expect(rack.outputs.flatMap { $0.autoConnect.flatMap(\.self) }.contains("system:playback_1"))
    for port in rack.inputs {
      #expect(port.autoConnect.flatMap(\.self).first == "system:capture_1")
    }
  }

  @Test(arguments: TestRacks.shipped) func eachPlaysDrumsBelowFullScale(name: String) throws {
    let plan = try TestRacks.plan(shipped: name)
    let frames = 48_000
    let rendering = try OfflineRendering(
      plan, inputs: Material.inputs(plan, try Material.drums(frames: frames))
    ) { job in
      job.messages = Material.chord(plan, length: 1)
      if plan.inputs.isEmpty && plan.midiInputs.isEmpty { job.length = 1 }
    }
    try judge(rendering, plan: name)
  }

  @Test(arguments: TestRacks.shippedWithInputs)
  func eachTakesSpeech(name: String) throws {
    let plan = try TestRacks.plan(shipped: name)
    let speech = try Speech.speak("You will obey.")
    let rate = speech?.sampleRate ?? 48_000
    let channels = speech?.channels ?? [Speech.synthesise(frames: 48_000)]
    // Some racks react to their input.
    let rendering = try OfflineRendering(
      plan, inputs: Material.inputs(plan, channels), sampleRate: rate
    ) { job in job.messages = Material.chord(plan, length: 1) }
    try judge(rendering, plan: name)
  }

  private func judge(_ rendering: OfflineRendering, plan: String) throws {
    #expect(rendering.result.faultyUnits.isEmpty && rendering.result.lostEvents == 0)
    for channel in rendering.outputs.values.joined() {
      let peak = try #require(channel.map(\.magnitude).max())
      #expect(peak < 1, "\(plan)")
      #expect(peak > 0.1, "\(plan)")
      let mean = channel.reduce(0, +) / Float(channel.count)
      #expect(abs(mean) < 0.01, "\(plan)")
    }
  }
}
