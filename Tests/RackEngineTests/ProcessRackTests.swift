import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

/// Racks whose units are rendered by other processes.
@Suite struct ProcessRackTests {
  /// Returns a plan of a row of three units and a branch, each with the given text for its process.
  private func plan(_ first: String, _ second: String, _ third: String, _ branch: String) throws
    -> Plan
  {
    try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units:
        warm: { unit: aufx/dist/bkln, parameters: { drive: 12 dB }\(first) }
        echo: { unit: aufx/dely/bkln, parameters: { time: 20 ms }\(second) }
        down: { unit: aufx/gain/bkln, parameters: { gain: -3 dB }\(third) }
        ring: { unit: aufx/ring/bkln, parameters: { frequency: 100 Hz }\(branch) }
        mix: { unit: aumx/mixr/bkln, inputs: 2 }
      connections:
        - in -> warm -> echo -> down -> mix.1
        - in -> ring -> mix.2
        - mix -> out
      """)
  }

  private func render(_ plan: Plan, block: Int) throws -> [[Float]] {
    let input = (1...2).map { Signals.noise(frames: 20_000, seed: UInt64($0)) }
    return try OfflineRendering(plan, inputs: ["in": input]) { job in
      job.blockFrames = block
      job.length = 0.4
    }.output
  }

  @Test(arguments: [64, 1024]) func aRackSoundsTheSameWhereverItsUnitsAre(_ block: Int) throws {
    let here = try render(try plan("", "", "", ""), block: block)
    let own = ", process: own"
    let together = ", process: group row-\(block)"
    #expect(firstDifference(here, try render(try plan(own, own, own, own), block: block)) == nil)
    #expect(
      firstDifference(here, try render(try plan(together, together, together, own), block: block))
        == nil)
    #expect(firstDifference(here, try render(try plan(own, "", own, ""), block: block)) == nil)
    #expect(here.joined().contains { $0.magnitude > 0.05 })
  }

  /// A loop of 64 frames and the delay in it, in blocks of any size, in this process and in others.
  @Test(arguments: [16, 64, 100, 512, 4096], ["", ", process: own"])
  func feedbackIsAsLateInBlocksOfAnySize(block: Int, process: String) throws {
    let plan = try TestRacks.plan(
      channels: 2,
      units: """
        level: { unit: aufx/gain/bkln\(process) }
        back: { unit: aufx/gain/bkln, parameters: { gain: -6 dB }\(process) }
        """, "in -> level -> out", "level -> back ~> level")
    let input = (1...2).map { Signals.noise(frames: 20_000, seed: UInt64($0)) }
    let heard = try OfflineRendering(plan, inputs: ["in": input]) { job in
      job.blockFrames = block
      job.length = 0.4
    }.output
    var expected = input.map { Array($0[..<19_200]) }
    let factor = Float(pow(10, -6.0 / 20))
    for channel in 0...1 {
      for frame in 64..<19_200 {
        expected[channel][frame] += factor * expected[channel][frame - 64]
      }
    }
    for (heard, expected) in zip(heard, expected) {
      #expect(!zip(heard, expected).contains { abs($0 - $1) > 1e-5 })
    }
  }

  @Test func aPipelinedUnitIsABlockLateAndTheRestWaitsForIt() throws {
    let pipelined = ", process: own, pipeline: true"
    let here = try render(try plan("", "", "", ""), block: 256)
    let there = try render(try plan("", pipelined, "", ""), block: 256)
    #expect(firstDifference(here, there) == nil)
    let late = try plan("", pipelined, "", "")
    let result = try OfflineRendering(
      late, inputs: ["in": (1...2).map { Signals.noise(frames: 4_000, seed: UInt64($0)) }]
    ) { job in
      job.blockFrames = 256
      job.length = 0.05
      job.removesLatency = false
    }
    let first = result.output.first?.firstIndex { $0.magnitude > 1e-6 } ?? 0
    #expect(first >= 256)
  }
}

extension JackTests {
  /// A process dies while JACK plays.
  @Suite(.serialized) struct LiveProcesses {
    @Test func oneBranchDiesAndTheOtherPlaysOnToTheBit() async throws {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { lost: { channels: 1 }, kept: { channels: 1 } }
        units:
          away: { unit: aufx/gain/bkln, parameters: { gain: -6 dB }, process: own }
          here: { unit: aufx/dely/bkln, parameters: { time: 20 ms } }
        connections:
          - in -> away -> lost
          - in -> here -> kept
        """)
      let frames = 96_000
      let input = Signals.sine(frequency: 220, amplitude: 0.5, frames: frames)
      try await EngineRig.run(plan, period: 256) { rig in
        let probe = try rig.probe(plan)
        let unit = try #require(await rig.engine.processNumbers.first)
        let killer = Task { [engine = rig.engine] in
          for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(300))
            if let number = await engine.processNumbers.first { kill(pid_t(number), SIGKILL) }
          }
        }
        let take = try await probe.play([input], frames: frames)
        try await killer.value
        let origin = try #require(await rig.engine.origin())
        let start = Int(Int32(bitPattern: take.startTime &- origin))
        let silence = [Float](repeating: 0, count: start)
        let offline = try OfflineRendering(plan, inputs: ["in": [silence + input]]) { job in
          job.length = Double(start + frames) / 48_000
        }
        let kept = try #require(offline.outputs["kept"]?.first)
        #expect(firstDifference(take.channels[1], Array(kept[start...])) == nil)
        #expect(take.channels[0].allSatisfy { $0.isFinite && abs($0) <= 0.51 })
        // The largest step of a sine, plus what a crossfade between two levels may add in 10 ms.
        let step = Signals.largestStep(take.channels[0])
        #expect(step < 0.5 * 2 * Float.pi * 220 / 48_000 * 1.5 + 2 * 0.5 / 480)
        #expect(await rig.engine.processNumbers.first != unit)
      }
    }
  }
}

extension Engine {
  /// The process numbers of the units that other processes render, in the plan's order.
  var processNumbers: [Int] {
    (rack?.units ?? []).compactMap { $0.audioUnit.processIdentifier }
  }
}
