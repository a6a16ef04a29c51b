import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// The graphs that several threads render. `RandomGraphTests` checks that the output has the same
/// bits.
struct ThreadTests {
  /// Renders 20 cycles of 1024 frames and returns the reported numbers of threads.
  private func threads(_ host: KernelHost) -> Set<UInt32> {
    for _ in 0..<20 {
      _ = host.render([noise(1024), noise(1024)], frames: 1024, cycles: [1024])
    }
    return Set(host.telemetry.map(\.cycle.threads))
  }

  /// Adds two parallel chains of eight reverbs and returns their cables.
  private func addBranches(to host: KernelHost) -> [bl_cable] {
    (0..<2).flatMap { branch in
      let nodes = (0..<8).map { _ in
        host.add(BuiltInUnit("aufx/rvrb/bkln").descriptor, inputs: [2], outputs: [2])
      }
      let ends = [nil] + nodes.map(Optional.init) + [nil]
      return zip(ends, ends.dropFirst()).map { KernelHost.cable($0, $1) }
    }
  }

  @Test func parallelBranchesOfMuchWorkAreShared() throws {
    let host = KernelHost(threads: 2, alwaysShares: false)
    let cables = addBranches(to: host)
    host.play(try host.lower(cables, inputs: [2], outputs: [2]))
    #expect(threads(host).contains(2))
    host.stopHelpers()
    _ = threads(host)
    #expect(host.telemetry.last?.cycle.threads == 1)
  }

  @Test func aChainHasOneThread() throws {
    let host = KernelHost(threads: 4)
    for _ in 0..<3 { host.add(TestUnit.scale.descriptor, inputs: [2], outputs: [2]) }
    let ends = [nil, 0, 1, 2, nil]
    host.play(
      try host.lower(
        zip(ends, ends.dropFirst()).map { KernelHost.cable($0, $1) }, inputs: [2], outputs: [2]))
    #expect(threads(host) == [1])
  }

  /// If no helper thread can be created, the caller's thread renders everything.
  @Test func aGraphForSeveralThreadsPlaysWithoutHelpers() throws {
    let host = KernelHost(threads: 3, creating: { _, _, _, _ in 11 })
    let cables = addBranches(to: host)
    host.play(try host.lower(cables, inputs: [2], outputs: [2]))
    #expect(threads(host) == [1])
  }

  /// Units without a MIDI cable send on several threads at once; only connected senders keep an
  /// order.
  @Test func sendersWithoutCablesShareNothing() throws {
    let sender = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    sender.initialize(to: TestUnit.scale.descriptor.pointee)
    defer { sender.deallocate() }
    sender.pointee.flags |= UInt32(BL_UNIT_MIDI_OUTPUT)
    sender.pointee.render = { unit, flags, timestamp, frames, bus, output, events, host in
      var message: (UInt8, UInt8, UInt8) = (0x90, 60, 100)
      withUnsafeBytes(of: &message) { bytes in
        _ = host!.pointee.send_midi!(
          host!.pointee.context, timestamp!.pointee.sample_time, 0, 3,
          bytes.bindMemory(to: UInt8.self).baseAddress)
      }
      let scale = TestUnit.scale.descriptor.pointee
      return scale.render(unit, flags, timestamp, frames, bus, output, events, host)
    }
    let host = KernelHost(threads: 4)
    var cables: [bl_cable] = []
    for branch in 0..<4 {
      for index in 0..<4 {
        let unit = host.add(sender, parameters: [(0, 0.5)])
        cables.append(KernelHost.cable(index > 0 ? unit - 1 : nil, unit))
      }
      cables.append(KernelHost.cable(branch * 4 + 3, nil))
    }
    host.play(try host.lower(cables))
    let output = host.render([[Float](repeating: 1, count: 8192)], frames: 8192, cycles: [64])
    #expect(output[0].allSatisfy { $0 == 0.25 })
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }
}
