import BacklineTestSupport
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// The output of a shipped rack depends neither on the block length nor on the number of threads.
struct RacksBlockTests {
  private let frames = 9000

  @Test(arguments: TestRacks.shipped) func eachIsTheSameInBlocksOfAnySize(name: String) throws {
    let plan = try TestRacks.plan(shipped: name)
    let reference = try render(plan, block: 480)
    #expect(reference.result.peak > 0.05)
    for block in [1, 17, 64, 1024, 4096] {
      try expectSame(try render(plan, block: block), reference, "\(name) in blocks of \(block)")
    }
  }

  @Test(arguments: TestRacks.shipped) func eachIsTheSameByAnyNumberOfThreads(name: String) throws {
    var plan = try TestRacks.plan(shipped: name)
    plan.threads = .number(1)
    let reference = try render(plan, block: 256)
    for threads in [2, 4] {
      plan.threads = .number(threads)
      try expectSame(
        try render(plan, block: 256), reference, "\(name) by \(threads) threads")
    }
  }

  private func render(_ plan: Plan, block: Int) throws -> OfflineRendering {
    let drums = Material.inputs(plan, try Material.drums(frames: frames))
    return try OfflineRendering(plan, inputs: drums) { job in
      job.blockFrames = block
      job.length = Double(frames) / 48_000
      job.messages = Material.chord(plan, length: 0.15)
      // The test ramps every parameter, off any block's edge.
      job.automation = Automations.everyRampable(of: plan, at: 0.021, ramp: 0.0333)
    }
  }

  private func expectSame(
    _ one: OfflineRendering, _ reference: OfflineRendering, _ when: String
  ) throws {
    for (port, channels) in reference.outputs {
      #expect(channels.first?.count == frames)
      let difference = firstDifference(channels, try #require(one.outputs[port]))
      #expect(difference == nil, "\(when)")
    }
  }
}
