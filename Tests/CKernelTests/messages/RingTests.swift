import BacklineTestSupport
import CKernel
import CTestUnits
import Foundation
import Testing

/// The control side and the render side run on two threads, as in a rack that plays.
struct RingTests {
  /// Rings of capacity 2 are almost always full; rings of capacity 512 also carry telemetry.
  @Test(arguments: [2, 512])
  func whatCrossesTheRingsArrivesOnceAndInOrder(capacity: Int) throws {
    let host = KernelHost(ringCapacity: capacity)
    let counted = host.add(TestUnit.scale.descriptor)
    host.add(TestUnit.latent.descriptor)
    let control = ControlSide(host)
    try control.replaceGraph()
    let values = (0..<repetitions(10_000)).map { Float($0) / 1024 }
    let renderer = Renderer(host.kernel)
    try renderer.run {
      for (number, value) in values.enumerated() {
        try control.setParameter(of: counted, value)
        if number % 20 == 19 { try control.replaceGraph() }
      }
    }
    // Receive the reports that had no room before.
    for _ in 0..<control.graphsSent {
      renderer.renderCycle()
      control.receive()
    }
    // Telemetry is published after a number of cycles, which a busy machine may not have reached.
    for _ in 0..<10_000 where control.framesReported == 0 {
      renderer.renderCycle()
      control.receive()
    }

    let unit = host.units[counted]
    #expect(bl_test_event_count(unit) == UInt32(values.count))
    let arrived = (0..<bl_test_event_count(unit)).map { bl_test_event(unit, $0) }
    #expect(firstDifference(arrived.map(\.parameter.value), values) == nil)
    #expect(zip(arrived, arrived.dropFirst()).allSatisfy { $0.sample_time <= $1.sample_time })
    #expect(control.graphsSent == values.count / 20 + 1 && control.playing.count == 1)
    #expect(control.strangersRetired == 0)
    #expect(control.framesReported == control.sampleTimeReported)
    #expect(control.eventsLost == 0)
    #expect(control.framesReported > 0)
  }
}

/// Sends graphs and parameters, and receives reports and telemetry.
private final class ControlSide {
  private let host: KernelHost
  private var newest: OpaquePointer?
  /// The graphs that were sent and are not retired yet.
  private(set) var playing: Set<OpaquePointer> = []
  private(set) var graphsSent = 0
  /// The number of reports that retire a graph twice, or one that was never sent.
  private(set) var strangersRetired = 0
  private(set) var framesReported: Int64 = 0
  private(set) var sampleTimeReported: Int64 = 0
  private(set) var eventsLost: UInt64 = 0

  init(_ host: KernelHost) { self.host = host }

  /// Sends a new graph. Its paths differ in latency, so that each graph takes over the delay lines
  /// of the one before.
  func replaceGraph() throws {
    let graph = try host.lower(
      [
        KernelHost.cable(nil, 0), KernelHost.cable(nil, 1), KernelHost.cable(0, nil),
        KernelHost.cable(1, nil),
      ], previous: newest)
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = graph
    playing.insert(graph)
    newest = graph
    graphsSent += 1
    try send(command)
  }

  func setParameter(of node: Int, _ value: Float) throws {
    var command = bl_command()
    command.type = BL_COMMAND_SET_PARAMETER
    command.node = UInt32(node)
    command.parameter = bl_parameter_event(
      address: 0, value: value, ramp_duration: 0, is_line: false)
    try send(command)
  }

  private struct RingStaysFull: Error {}

  private func send(_ command: bl_command) throws {
    var command = command
    for _ in 0..<10_000_000 {
      receive()
      if bl_kernel_send(host.kernel, &command) { return }
      sched_yield()
    }
    throw RingStaysFull()
  }

  private func readTelemetry(of graph: OpaquePointer) {
    guard let cycle = bl_graph_telemetry(graph)?.pointee.cycle else { return }
    framesReported += Int64(cycle.frames)
    sampleTimeReported = cycle.sample_time
    bl_graph_release_telemetry(graph)
  }

  func receive() {
    for graph in playing { readTelemetry(of: graph) }
    var report = bl_report()
    while bl_kernel_receive(host.kernel, &report) {
      switch report.type {
      case BL_REPORT_GRAPH_RETIRED:
        if playing.remove(report.graph) == nil {
          strangersRetired += 1
        } else {
          readTelemetry(of: report.graph)
          bl_graph_destroy(report.graph)
        }
      case BL_REPORT_EVENTS_LOST:
        eventsLost += report.events
      default: break
      }
    }
  }
}
