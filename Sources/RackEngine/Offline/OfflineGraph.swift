import CKernel
import RackModel

/// The graph that a rendering plays: lowered anew where a unit's latency changes in the middle, so
/// that parallel paths go on arriving together.
final class OfflineGraph {
  /// Frames between two looks. They lie on a grid of their own, so that a rendering does not depend on
  /// its blocks.
  static let interval = 1024

  private let plan: Plan
  private let units: [RackUnit]
  private let format: RenderFormat
  private let automation: Automation?
  /// The kernel's from when it is sent until it is reported retired.
  private(set) var pointer: OpaquePointer
  /// Does one play in which delays crossfade?
  private var isFading = false

  init(_ plan: Plan, units: [RackUnit], format: RenderFormat) throws(RackError) {
    (self.plan, self.units, self.format) = (plan, units, format)
    automation = try Automation.of(plan, sampleRate: format.sampleRate, after: nil)
    pointer = try PlanLowering.lower(
      .init(plan, units: units), ports: plan, format: format, automation: automation)
  }

  /// Frames from the rack's inputs to the outputs, in their order.
  var latencies: [Int] {
    plan.outputs.indices.map { Int(bl_graph_latency(pointer, UInt32($0))) }
  }

  /// Likewise, to the MIDI outputs.
  var midiLatencies: [Int] {
    plan.midiOutputs.indices.map { Int(bl_graph_midi_latency(pointer, UInt32($0))) }
  }

  /// Has the kernel play it from the next cycle on.
  func send(to kernel: OpaquePointer) {
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = pointer
    // The ring is empty: what is sent is taken in before the next cycle.
    bl_kernel_send(kernel, &command)
    bl_kernel_begin_cycle_offline(kernel)
  }

  /// Between cycles: lowers it anew if a latency has changed; delays crossfade to what they have to
  /// be, and no further change is followed until they have.
  func follow(on kernel: OpaquePointer) throws(RackError) {
    guard !isFading, bl_graph_latency_changed(pointer) else { return }
    try replace(on: kernel)
    isFading = bl_graph_fades(pointer)
  }

  /// Leaves out what has faded out by now.
  func endFades(on kernel: OpaquePointer) throws(RackError) {
    guard isFading else { return }
    try replace(on: kernel)
    isFading = bl_graph_fades(pointer)
  }

  private func replace(on kernel: OpaquePointer) throws(RackError) {
    pointer = try PlanLowering.lower(
      .init(plan, units: units), ports: plan, format: format, previous: pointer,
      automation: automation)
    send(to: kernel)
  }
}
