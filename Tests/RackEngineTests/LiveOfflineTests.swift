import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

extension JackTests {
  /// Live output equals offline output to the bit.
  @Suite(.serialized) struct LiveEqualsOffline {
    private let frames = 24_000

    /// The output of a running engine, and its start in the kernel's time.
    private struct Take {
      var channels: [[Float]]
      var start: Int
      var threads = 1
    }

    /// Sequencers are left out: they also play while the transport rolls, which offline it always does.
    @Test(arguments: TestRacks.shipped.filter { $0 != "step-sequence" })
    func everyShippedRack(name: String) async throws {
      try await expectSameLive(try TestRacks.plan(shipped: name))
    }

    @Test func aRackWithBranchesOnSeveralThreads() async throws {
      var plan = try TestRacks.plan(shipped: "drum-crusher")
      plan.threads = .number(3)
      try await expectSameLive(plan, threads: 3)
    }

    private func expectSameLive(_ plan: Plan, threads: Int? = nil) async throws {
      let isVoice = plan.inputs.contains { $0.channelCount == 1 }
      let sound =
        isVoice ? [Speech.synthesise(frames: frames)] : try Material.drums(frames: frames)
      let input = plan.inputs.flatMap { port in
        (0..<port.channelCount).map { sound[$0 % sound.count] }
      }
      let messages = Material.chord(plan, length: 0.4)
      let take = try await play(plan, input, messages)
      if let threads { #expect(take.threads == threads) }

      let offset = Double(take.start) / 48_000
      let silence = [Float](repeating: 0, count: take.start)
      let offline = try OfflineRendering(
        plan, inputs: Material.inputs(plan, input.map { silence + $0 })
      ) { job in
        job.messages = messages.map { message in
          var message = message
          message.time += offset
          return message
        }
        job.length = Double(take.start + frames) / 48_000
        job.removesLatency = false
      }
      let rendered = plan.outputs.flatMap { offline.outputs[$0.name] ?? [] }
      #expect(take.channels.joined().contains { $0.magnitude > 0.05 })
      #expect(
        firstDifference(take.channels, rendered.map { Array($0[take.start...]) }) == nil)
    }

    private func play(
      _ plan: Plan, _ input: [[Float]], _ messages: [OfflineJob.Message]
    ) async throws -> Take {
      var take = Take(channels: [], start: 0)
      try await EngineRig.run(plan, period: 1024) { rig in
        let probe = try rig.probe(plan)
        let recording = try await probe.play(
          input, frames: frames,
          messages: messages.map { message in
            .init(message.bytes, at: Int((message.time * 48_000).rounded()))
          })
        let origin = try #require(await rig.engine.origin())
        let start = Int(Int32(bitPattern: recording.startTime &- origin))
        take = Take(
          channels: recording.channels, start: start,
          threads: await rig.engine.status().cycle.threads)
      }
      return take
    }
  }
}
