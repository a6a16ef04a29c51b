import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// Moving parameters and MIDI, checked by formula and with extreme values.
struct OfflineAutomationTests {
  private let gain = "gain: { unit: aufx/gain/bkln }"

  private func gainPlan() throws -> Plan {
    try TestRacks.plan(units: gain, "in -> gain -> out")
  }

  private func factor(decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  @Test(arguments: [64, 1000]) func aRampIsStraightInDecibels(block: Int) throws {
    let plan = try gainPlan()
    let frames = 9600
    let output = try OfflineRendering(plan, inputs: ["in": [Signals.constant(1, frames: frames)]]) {
      $0.automation = [
        try Automations.change(plan, unit: 0, "gain", to: -20, at: 0.05, ramp: 0.1)
      ]
      $0.blockFrames = block
    }.output[0]
    let wrong = (0..<frames).first { frame in
      let share = min(max(Double(frame - 2400) / 4800, 0), 1)
      return abs(output[frame] - factor(decibels: -20 * share)) > 1e-5
    }
    #expect(wrong == nil)
  }

  @Test func valuesAndTimesBeyondTheEndsAreHeld() throws {
    let plan = try gainPlan()
    let rendering = try OfflineRendering(
      plan, inputs: ["in": [Signals.constant(0.01, frames: 4800)]]
    ) {
      $0.automation = [
        try Automations.lane(
          plan, unit: 0, "gain",
          [(-3, -6), (0.05, -6), (0.05, 1000), (0.2, 1000), (0.3, -1e9)])
      ]
    }
    let output = rendering.output[0]
    #expect(abs(output[0] - 0.01 * factor(decibels: -6)) < 1e-6)
    #expect(abs(output[2400 + 962] - 0.01 * factor(decibels: 24)) < 1e-5)
    // Beyond the file's end the input is silent, and the rendering goes on to the last point.
    #expect(output.count == 14_400)
    #expect(!output[4800...].contains { $0 != 0 })
    #expect(rendering.result.lostEvents == 0)
  }

  @Test func aLengthCutsAutomationOff() throws {
    let plan = try gainPlan()
    let output = try OfflineRendering(plan, inputs: ["in": [Signals.constant(1, frames: 4800)]]) {
      $0.automation = [try Automations.change(plan, unit: 0, "gain", to: -20, at: 100)]
      $0.length = 0.1
    }.output[0]
    #expect(firstDifference(output, Signals.constant(1, frames: 4800)) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, 1e30, -1e30]) func aTimeOutOfReachIsRefused(
    time: Double
  ) throws {
    let plan = try gainPlan()
    var job = OfflineJob()
    job.automation = [try Automations.change(plan, unit: 0, "gain", to: 0, at: time)]
    #expect(throws: RackError.self) {
      try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
    }
    job.automation = []
    job.length = time
    #expect(throws: RackError.self) {
      try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
    }
  }

  /// More points than the kernel's ring has room for, over one block.
  @Test func manyPointsArriveInOrder() throws {
    let plan = try gainPlan()
    let points = 10_000
    let rendering = try OfflineRendering(
      plan, inputs: ["in": [Signals.constant(1, frames: points)]]
    ) {
      $0.blockFrames = 16_384
      $0.automation = [
        try Automations.lane(
          plan, unit: 0, "gain",
          (0..<points).map { (Double($0) / 48_000, -Float($0 % 7)) })
      ]
    }
    #expect(rendering.result.lostEvents == 0)
    let wrong = (0..<points).first {
      abs(rendering.output[0][$0] - factor(decibels: -Double($0 % 7))) > 1e-6
    }
    #expect(wrong == nil)
  }

  private func synthPlan() throws -> Plan {
    try TestRacks.plan(
      """
      rack: Keys
      inputs: { keys: { midi: true } }
      outputs: { out: {} }
      units: { synth: { unit: aumu/sine/bkln, channels: 1 } }
      connections: [ keys -> synth -> out ]
      """)
  }

  @Test func aFloodOfNotesIsCountedAndHarmsNothing() throws {
    let plan = try synthPlan()
    let rendering = try OfflineRendering(plan) { job in
      job.messages = (0..<60_000).map { number in
        OfflineJob.Message(
          port: 0, time: 0.01, bytes: [number % 3 == 2 ? 0x80 : 0x90, UInt8(number % 128), 100])
      }
      // The renderer works afterwards.
      job.messages.append(.init(port: 0, time: 0.2, bytes: [0xB0, 123, 0]))
      job.messages.append(.init(port: 0, time: 0.2, bytes: [0xB0, 120, 0]))
      job.messages.append(.init(port: 0, time: 0.5, bytes: [0x90, 69, 127]))
      job.length = 1
    }
    #expect(rendering.result.faultyUnits.isEmpty && rendering.result.lostEvents > 50_000)
    let output = rendering.output[0]
    #expect(!output.contains { !$0.isFinite })
    let fit = SineFit(output[30_000..<44_000], frequency: 440, sampleRate: 48_000)
    #expect(fit.amplitude > 0.05 && fit.residual < 0.05 * fit.amplitude)
  }

  @Test func garbageAmongTheNotesIsPassedOver() throws {
    let plan = try synthPlan()
    let notes = Material.chord(plan, length: 0.2)
    let garbage: [[UInt8]] = [
      [], [60, 100], [0x90], [0x90, 200, 100], [0xF4], [0xF0, 1, 2], [0xFF, 1],
    ]
    func render(_ messages: [OfflineJob.Message]) throws -> [[Float]] {
      try OfflineRendering(plan) {
        $0.messages = messages
        $0.length = 0.3
      }.output
    }
    let clean = try render(notes)
    let dirty = try render(
      notes + garbage.map { OfflineJob.Message(port: 0, time: 0.05, bytes: $0) })
    #expect(clean[0].contains { $0.magnitude > 0.05 })
    #expect(firstDifference(clean, dirty) == nil)
  }
}
