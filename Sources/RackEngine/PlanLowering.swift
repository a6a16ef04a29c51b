import AsyncSupport
import CKernel
import FoundationEssentials
import RackLowering
import RackModel
import UnitModel

/// Lowers a plan to the kernel's graph.
enum PlanLowering {
  /// The units and cables of a graph.
  struct Wiring {
    var units: [RackUnit]
    var cables: [(cable: Cable, fade: CableFade)]
    var midiCables: [MIDICable]
    var modulations: [PlannedModulation]
    /// The indices of the spillover's units.
    var spillover = 0..<0

    /// Creates the wiring of a plan, with `fade` for cables into the rack's outputs. MIDI cables cannot fade:
    /// with `.fadesOut`, those into outputs are cut.
    init(_ plan: Plan, units: [RackUnit], outputs fade: CableFade = .none) {
      self.units = units
      cables = plan.cables.map { cable in
        if case .port = cable.destination { return (cable, fade) }
        return (cable, .none)
      }
      modulations = plan.modulations
      // The kernel ends the notes of cables that are cut.
      midiCables = plan.midiCables.filter { fade != .fadesOut || $0.destination.unit != nil }
    }
  }

  /// Returns a graph, which the units, the recording and the automation must outlive.
  ///
  /// - Parameters:
  ///   - context: the value that `bl_kernel_begin_cycle` returns.
  ///   - previous: the graph to be replaced.
  /// - Throws: `RackError` if the kernel rejects the graph or memory is short.
  static func lower(
    _ wiring: Wiring, ports plan: Plan, format: RenderFormat,
    threads: ThreadChoice, context: UnsafeMutableRawPointer? = nil,
    previous: OpaquePointer? = nil, automation: Automation? = nil,
    recording: Recording? = nil
  ) throws(RackError) -> OpaquePointer {
    let nodes: [OpaquePointer?] = wiring.units.map(\.node)
    // Units of the spillover may have been made for shorter cycles.
    let maximumFrames = wiring.units.map(\.format.maximumFrames).min() ?? format.maximumFrames
    let taps = recording?.taps(ports: plan, units: wiring.units) ?? []
    let lanes = plan.automation.map { lane in
      bl_lane_target(node: UInt32(lane.target.unit), address: lane.target.address)
    }
    let arrays = CArrays()
    let cables = wiring.cables.map { cable, fade in
      bl_cable(
        cable, fade: fade, spills: cable.source.unit.map(wiring.spillover.contains) ?? false)
    }
    var description = GraphDescription.make(
      cables: cables, midiCables: wiring.midiCables, modulations: wiring.modulations, ports: plan,
      sampleRate: format.sampleRate, arrays)
    description.maximum_frames = UInt32(min(maximumFrames, format.maximumFrames))
    description.fade_frames = bl_ramp_frames(format.sampleRate)
    description.node_count = UInt32(nodes.count)
    description.nodes = arrays.copy(nodes)
    description.thread_count = UInt32(
      threads.count(processors: ProcessInfo.processInfo.activeProcessorCount))
    description.always_shares = threads != .automatic
    description.previous = previous
    description.context = context
    description.recorder = recording?.recorder
    description.automation = automation?.pointer
    description.tap_count = UInt32(taps.count)
    description.taps = arrays.copy(taps)
    description.lane_targets = arrays.copy(lanes)
    var problem: UnsafePointer<CChar>?
    let graph = withExtendedLifetime(arrays) { bl_graph_create(&description, &problem) }
    guard let graph else {
      throw RackError("rack \(plan.name): \(problem.map { String(cString: $0) } ?? "cannot play")")
    }
    return graph
  }
}
