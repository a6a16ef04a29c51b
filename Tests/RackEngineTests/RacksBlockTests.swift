import BacklineTestSupport
import RackEngine
import Testing

/// What a shipped rack renders does not depend on how many frames are rendered at a time.
struct RacksBlockTests {
  private let frames = 9000

  @Test(arguments: TestRacks.shipped) func eachIsTheSameInBlocksOfAnySize(name: String) throws {
    let plan = try TestRacks.plan(shipped: name)
    let drums = Material.inputs(plan, try Material.drums(frames: frames))
    func render(_ block: Int) throws -> OfflineRendering {
      try OfflineRendering(plan, inputs: drums) { job in
        job.blockFrames = block
        job.length = Double(frames) / 48_000
        job.messages = Material.chord(plan, length: 0.15)
        // A ramp through whatever there is to move, off any block's edge.
        job.automation = Automations.everyRampable(of: plan, at: 0.021, ramp: 0.0333)
      }
    }
    let reference = try render(480)
    #expect(reference.result.peak > 0.05)
    for block in [1, 17, 64, 1024, 4096] {
      let other = try render(block)
      for (port, channels) in reference.outputs {
        #expect(channels.first?.count == frames)
        let difference = firstDifference(channels, try #require(other.outputs[port]))
        #expect(difference == nil, "\(name) in blocks of \(block)")
      }
    }
  }
}
