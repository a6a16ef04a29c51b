import AudioUnits
import BacklineTestSupport
import RackEngine
import RackTestSupport
import Testing
import UnitModel

@testable import RackModel

/// A unit whose latency changes in the middle of a file, beside a path without latency.
struct OfflineLatencyTests {
  /// Returns a lane of steps of the late unit's latency.
  private func lane(_ points: [(time: Double, latency: Int)]) -> PlannedLane {
    PlannedLane(
      target: .parameter(unit: 0, address: 0), clock: .seconds, curve: .hold,
      points: points.map { .init(time: $0.time, value: Float($0.latency)) },
      info: ParameterInfo(
        identifier: "latency", name: "Latency", unit: .generic, minimum: 0, maximum: 1e6,
        defaultValue: 0))
  }

  /// A step and a bypass after a unit with latency keep their frames, wherever the unit runs.
  @Test(arguments: [0, 1000]) func lanesWaitForTheSound(latency: Int) throws {
    let folder = try TemporaryFolder()
    let catalogue = try LateUnit.catalogue(in: folder)
    func render(_ lane: String, block: Int) throws -> [Float] {
      let plan = try TestRacks.plan(
        """
        rack: Late
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units:
          late: { unit: aufx/vdly/test, parameters: { latency: \(latency) } }
          level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } }
          last: { unit: aufx/vdly/test, parameters: { latency: 300 } }
        connections: [ in -> late -> level -> last -> out ]
        automation: { \(lane) }
        """, catalogue: catalogue)
      return try OfflineRendering(
        plan, inputs: ["in": [Signals.constant(1, frames: 9600)]], catalogue: catalogue
      ) { $0.blockFrames = block }.output[0]
    }
    for lane in [
      "level.gain: [-20 dB @ 0 s, -20 dB @ 0.1 s, 0 dB @ 0.1 s]",
      "level.bypass: [off @ 0 s, on @ 0.1 s]",
    ] {
      let output = try render(lane, block: 512)
      let changed = output.indices.dropFirst(300).first { abs(output[$0] - 0.1) > 1e-5 }
      #expect(changed.map { (4800...4804).contains($0) } == true, "\(lane): \(changed ?? -1)")
      #expect(abs(output[6100] - 1) < 1e-5)
      #expect(firstDifference(try render(lane, block: 64), output) == nil)
    }
  }

  @Test(arguments: [(100, 700), (300, 0), (0, 5)])
  func parallelPathsMeetAgain(before: Int, after: Int) throws {
    let folder = try TemporaryFolder()
    let catalogue = try LateUnit.catalogue(in: folder)
    let plan = try LateUnit.plan(catalogue, latency: before)
    let frames = 48_000
    var impulses = [Float](repeating: 0, count: frames)
    for frame in [10, 40_000, 47_999] { impulses[frame] = 0.25 }
    var first: [Float]?
    for block in [512, 1, 1000, 4096] {
      let rendering = try OfflineRendering(
        plan, inputs: ["in": [impulses]], catalogue: catalogue
      ) { job in
        job.blockFrames = block
        job.automation = [lane([(0.25, before), (0.25, after)])]
      }
      let output = rendering.output[0]
      let heard = output.indices.filter { output[$0] != 0 }
      #expect(heard == [10, 40_000 + after - before, 47_999 + after - before])
      #expect(heard.allSatisfy { output[$0] == 0.5 })
      if let first { #expect(firstDifference(output, first) == nil) }
      first = first ?? output
    }
  }

  /// The crossfade does not click, and several changes follow one another.
  @Test func aToneGoesOnThroughEveryChange() throws {
    let folder = try TemporaryFolder()
    let catalogue = try LateUnit.catalogue(in: folder)
    let plan = try LateUnit.plan(catalogue, latency: 0)
    let tone = Signals.sine(frequency: 100, amplitude: 0.25, frames: 48_000)
    let rendering = try OfflineRendering(plan, inputs: ["in": [tone]], catalogue: catalogue) {
      $0.automation = [lane([(0.1, 0), (0.1, 100), (0.13, 30), (0.16, 480)])]
    }
    let output = rendering.output[0]
    let wrong = (24_000..<47_000).first { abs(output[$0] - 2 * tone[$0 - 480]) > 1e-5 }
    #expect(wrong == nil)
    #expect(rendering.result.lostEvents == 0)
  }
}
