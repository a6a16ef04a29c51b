import AudioUnits
import BacklineTestSupport
import RackEngine
import RackModel
import Testing

/// A unit whose latency changes in the middle of a file, beside a way without any.
struct OfflineLatencyTests {
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
        job.automation = [.init(unit: 0, address: 0, value: Float(after), time: 0.25)]
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
      $0.automation = [100, 30, 480].enumerated().map {
        .init(unit: 0, address: 0, value: Float($1), time: 0.1 + 0.03 * Double($0))
      }
    }
    let output = rendering.output[0]
    let wrong = (24_000..<47_000).first { abs(output[$0] - 2 * tone[$0 - 480]) > 1e-5 }
    #expect(wrong == nil)
    #expect(rendering.result.lostEvents == 0)
  }
}
