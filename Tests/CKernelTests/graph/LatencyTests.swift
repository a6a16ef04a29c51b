import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Foundation
import Testing

/// A unit's latency changes while it plays, and its graph is lowered again.
struct LatencyTests {
  private let sine = (0..<9600).map { Float(sin(2 * Double.pi * 110 * Double($0) / 48_000)) * 0.5 }

  private func largestStep(_ samples: some Collection<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  /// Plays a unit with the latency `before`, and `after` from frame 960 on; lowers its graph again
  /// at frame 1920 and, once the fades have finished, at 4800. Returns the output.
  private func change(
    _ host: KernelHost, _ cables: [bl_cable], from before: Int, to after: Int
  ) throws -> [Float] {
    let first = try host.lower(cables)
    host.play(first)
    #expect(!bl_graph_latency_changed(first) && !bl_graph_fades(first))
    var output = host.render([Array(sine[..<960])], frames: 960)[0]
    host.schedule(0, value: Float(after), at: 960)
    output += host.render([Array(sine[960..<1920])], frames: 960)[0]
    #expect(bl_graph_latency_changed(first))
    let second = try host.lower(cables, previous: first)
    #expect(bl_graph_latency(second, 0) == UInt32(after))
    #expect(!bl_graph_latency_changed(second) && bl_graph_fades(second))
    host.play(second)
    output += host.render([Array(sine[1920..<4800])], frames: 2880)[0]
    #expect(host.count(BL_REPORT_FADES_FINISHED) == 1)
    let third = try host.lower(cables, previous: second)
    #expect(!bl_graph_fades(third))
    host.play(third)
    output += host.render([Array(sine[4800...])], frames: 4800)[0]
    return output
  }

  @Test(arguments: [(37, 300), (300, 37), (0, 100), (100, 0)])
  func pathsMeetAgain(before: Int, after: Int) throws {
    let host = KernelHost()
    host.add(TestUnit.late.descriptor, parameters: [(0, Float(before))])
    let cables = [
      KernelHost.cable(nil, 0), KernelHost.cable(0, nil), KernelHost.cable(nil, nil),
    ]
    let output = try change(host, cables, from: before, to: after)
    for frame in 300..<960 { #expect(output[frame] == 2 * sine[frame - before]) }
    for frame in 4800..<9600 { #expect(output[frame] == 2 * sine[frame - after]) }
  }

  /// The kernel learns of the new latency from the unit's notice. A unit built before notices
  /// existed is asked after every cycle.
  @Test(arguments: ["300", "quietly 300"], [false, true])
  func aPropertyThatChangesTheLatencyIsSeen(property: String, isOld: Bool) throws {
    let host = KernelHost()
    let descriptor = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    descriptor.initialize(to: TestUnit.late.descriptor.pointee)
    if isOld {
      let first = try #require(MemoryLayout<bl_unit_descriptor>.offset(of: \.value_text))
      descriptor.pointee.size = UInt32(first)
    }
    host.add(UnsafePointer(descriptor), parameters: [(0, 37)])
    let graph = try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)])
    host.play(graph)
    _ = host.render([sine], frames: 960)
    #expect(!bl_graph_latency_changed(graph) && bl_node_latency(host.nodes[0]) == 37)
    let unit = host.units[0]
    #expect(descriptor.pointee.set_property(unit, 0, property, nil, 0) == BL_OK)
    _ = host.render([sine], frames: 64)
    let isSeen = isOld || property == "300"
    #expect(bl_graph_latency_changed(graph) == isSeen)
    #expect(bl_node_latency(host.nodes[0]) == (isSeen ? 300 : 37))
  }

  /// A bypassed unit's change of latency crossfades to the new delay without a click.
  @Test(arguments: [(37, 300), (300, 37), (0, 100), (100, 0)])
  func whatBypassLetsThroughIsLateAnew(before: Int, after: Int) throws {
    let host = KernelHost()
    host.add(TestUnit.late.descriptor, parameters: [(0, Float(before))])
    bl_node_set_bypassed(host.nodes[0], true)
    let cables = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
    let output = try change(host, cables, from: before, to: after)
    for frame in 300..<1920 { #expect(output[frame] == sine[frame - before]) }
    for frame in 4800..<9600 { #expect(output[frame] == sine[frame - after]) }
    // The sine's own largest step is 0.0072, and the crossfade adds a 480th of its range.
    #expect(largestStep(output[400...]) < 0.01)
  }

  /// A latency above BL_MAXIMUM_LATENCY is limited before any delay line is allocated.
  @Test func aLatencyBeyondTheLimitIsLimitedAndReportedOnce() throws {
    let host = KernelHost()
    host.add(TestUnit.late.descriptor, parameters: [(0, 4e9)])
    #expect(bl_node_latency(host.nodes[0]) == BL_MAXIMUM_LATENCY)
    let graph = try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)])
    #expect(bl_graph_latency(graph, 0) == BL_MAXIMUM_LATENCY)
    host.play(graph)
    for _ in 0..<4 { _ = host.render([Array(sine[..<64])], frames: 64) }
    #expect(host.count(BL_REPORT_LATENCY_EXCEEDED) == 1)
  }
}
