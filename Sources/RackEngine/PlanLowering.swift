import AsyncSupport
import CKernel
import FoundationEssentials
import RackModel
import UnitModel

/// Lowers a plan to the kernel's graph.
enum PlanLowering {
  /// How a cable fades.
  enum Fade {
    case none, fadesIn, fadesOut
    /// Fades in before the others.
    case leadsIn
  }

  /// The units and cables of a graph.
  struct Wiring {
    var units: [RackUnit]
    var cables: [(cable: Cable, fade: Fade)]
    var midiCables: [MIDICable]
    var modulations: [PlannedModulation]
    /// The places of the units of the spillover.
    var spillover = 0..<0

    /// A plan's own cables, those into the rack's outputs with a fade if asked for. MIDI cables cannot
    /// fade: they are cut instead of fading out.
    init(_ plan: Plan, units: [RackUnit], outputs fade: Fade = .none) {
      self.units = units
      cables = plan.cables.map { cable in
        if case .port = cable.destination { return (cable, fade) }
        return (cable, .none)
      }
      // The kernel ends the notes of cables that are cut.
      modulations = plan.modulations
      midiCables = plan.midiCables.filter { fade != .fadesOut || $0.destination.unit != nil }
    }
  }

  /// Makes a graph. The units, the recording and the automation must outlive it.
  ///
  /// - Parameters:
  ///   - context: is returned by `bl_kernel_begin_cycle`.
  ///   - previous: the graph to be replaced.
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
      let (node, address) = place(of: lane.target)
      return bl_lane_target(node: node, address: address)
    }
    let arrays = CArrays()
    var description = describe(
      wiring.cables.map { cable, fade in
        makeCable(
          cable, fade: fade, spills: cable.source.unit.map(wiring.spillover.contains) ?? false)
      }, wiring.midiCables, ports: plan, format: format, arrays)
    addModulations(wiring.modulations, to: &description, arrays)
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

  /// A plan's own graph.
  fileprivate static func describe(_ plan: Plan, _ arrays: CArrays) -> bl_graph_description {
    var description = describe(
      plan.cables.map { makeCable($0, fade: .none, spills: false) }, plan.midiCables, ports: plan,
      format: RenderFormat(sampleRate: 0), arrays)
    addModulations(plan.modulations, to: &description, arrays)
    return description
  }

  private static func addModulations(
    _ planned: [PlannedModulation], to description: inout bl_graph_description, _ arrays: CArrays
  ) {
    let modulations = planned.map(makeModulation)
    description.modulation_count = UInt32(modulations.count)
    description.modulations = arrays.copy(modulations)
  }

  /// Ports, cables, controls and scenes, without nodes. It is valid as long as `arrays`.
  private static func describe(
    _ cables: [bl_cable], _ midiCables: [MIDICable], ports plan: Plan, format: RenderFormat,
    _ arrays: CArrays
  ) -> bl_graph_description {
    let midi = midiCables.map {
      bl_midi_cable(
        source: makeEndpoint($0.source), destination: makeEndpoint($0.destination),
        channels: $0.filter.channel.map { 1 << UInt16($0 - 1) } ?? 0,
        lowest_note: UInt8($0.filter.notes?.lowerBound ?? 0),
        note_count: UInt8($0.filter.notes?.count ?? 0))
    }
    var description = bl_graph_description()
    description.input_count = UInt32(plan.inputs.count)
    description.input_channel_counts = arrays.copy(plan.inputs.map { UInt32($0.channelCount) })
    description.output_count = UInt32(plan.outputs.count)
    description.output_channel_counts = arrays.copy(plan.outputs.map { UInt32($0.channelCount) })
    description.output_ceilings = arrays.copy(plan.outputs.map(\.ceiling.magnitude))
    description.cable_count = UInt32(cables.count)
    description.cables = arrays.copy(cables)
    description.midi_input_count = UInt32(plan.midiInputs.count)
    description.midi_output_count = UInt32(plan.midiOutputs.count)
    description.midi_cable_count = UInt32(midi.count)
    description.midi_cables = arrays.copy(midi)
    addControls(of: plan, format: format, to: &description, arrays)
    return description
  }

  private static func makeCable(_ cable: Cable, fade: Fade, spills: Bool) -> bl_cable {
    var flags = cable.isFeedback ? UInt32(BL_CABLE_FEEDBACK) : 0
    if spills { flags |= UInt32(BL_CABLE_SPILLOVER) }
    switch fade {
    case .none: break
    case .fadesIn: flags |= UInt32(BL_CABLE_FADE_IN)
    case .fadesOut: flags |= UInt32(BL_CABLE_FADE_OUT)
    case .leadsIn: flags |= UInt32(BL_CABLE_LEAD_IN)
    }
    return bl_cable(
      source: makeEndpoint(cable.source), destination: makeEndpoint(cable.destination),
      flags: flags, source_channel: UInt32(cable.sourceChannel ?? 0),
      destination_channel: UInt32(cable.destinationChannel ?? 0))
  }

  private static func makeModulation(_ planned: PlannedModulation) -> bl_modulation {
    let source = makeEndpoint(planned.source)
    return bl_modulation(
      source_node: source.node, source_bus: source.bus,
      source_channel: UInt32(planned.sourceChannel), node: UInt32(planned.unit),
      address: planned.address, depth: planned.depth / 100, is_squared: planned.isSquared,
      is_late: planned.isLate)
  }

  private static func makeEndpoint(_ endpoint: Endpoint) -> bl_endpoint {
    switch endpoint {
    case .port(let port): bl_endpoint(node: UInt32.max, bus: UInt32(port))
    case .unit(let unit, let bus): bl_endpoint(node: UInt32(unit), bus: UInt32(bus))
    }
  }
}

extension Plan {
  /// Provides the plan's ports, cables, controls and scenes as the kernel takes them while `body` runs.
  package func withGraphDescription<Result>(
    _ body: (bl_graph_description) throws -> Result
  ) rethrows -> Result {
    let arrays = CArrays()
    return try withExtendedLifetime(arrays) {
      try body(PlanLowering.describe(self, arrays))
    }
  }
}
