import CKernel
import RackModel

/// The fade of a cable.
package enum CableFade: Sendable {
  case none, fadesIn, fadesOut
  /// The cable fades in before the other cables fade.
  case leadsIn
}

/// A plan's ports, cables, controls and scenes in the kernel's form, without nodes.
package enum GraphDescription {
  /// Returns a description, valid as long as `arrays`.
  package static func make(
    cables: [bl_cable], midiCables: [MIDICable], modulations: [PlannedModulation],
    ports plan: Plan, sampleRate: Double, _ arrays: CArrays
  ) -> bl_graph_description {
    let midi = midiCables.map(bl_midi_cable.init)
    let modulations = modulations.map(bl_modulation.init)
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
    description.modulation_count = UInt32(modulations.count)
    description.modulations = arrays.copy(modulations)
    addControls(of: plan, sampleRate: sampleRate, to: &description, arrays)
    return description
  }
}

extension Plan {
  /// Returns the plan's own graph, valid as long as `arrays`; without a sample rate, so that scenes have no ramps.
  package func graphDescription(_ arrays: CArrays) -> bl_graph_description {
    GraphDescription.make(
      cables: cables.map { bl_cable($0) }, midiCables: midiCables, modulations: modulations,
      ports: self, sampleRate: 0, arrays)
  }
}

extension bl_cable {
  package init(_ cable: Cable, fade: CableFade = .none, spills: Bool = false) {
    var flags = cable.isFeedback ? UInt32(BL_CABLE_FEEDBACK) : 0
    if spills { flags |= UInt32(BL_CABLE_SPILLOVER) }
    switch fade {
    case .none: break
    case .fadesIn: flags |= UInt32(BL_CABLE_FADE_IN)
    case .fadesOut: flags |= UInt32(BL_CABLE_FADE_OUT)
    case .leadsIn: flags |= UInt32(BL_CABLE_LEAD_IN)
    }
    self.init(
      source: bl_endpoint(cable.source), destination: bl_endpoint(cable.destination), flags: flags,
      source_channel: UInt32(cable.sourceChannel ?? 0),
      destination_channel: UInt32(cable.destinationChannel ?? 0))
  }
}

extension bl_midi_cable {
  fileprivate init(_ cable: MIDICable) {
    self.init(
      source: bl_endpoint(cable.source), destination: bl_endpoint(cable.destination),
      channels: cable.filter.channel.map { 1 << UInt16($0 - 1) } ?? 0,
      lowest_note: UInt8(cable.filter.notes?.lowerBound ?? 0),
      note_count: UInt8(cable.filter.notes?.count ?? 0))
  }
}

extension bl_modulation {
  fileprivate init(_ planned: PlannedModulation) {
    let source = bl_endpoint(planned.source)
    self.init(
      source_node: source.node, source_bus: source.bus,
      source_channel: UInt32(planned.sourceChannel), node: UInt32(planned.unit),
      address: planned.address, depth: planned.depth / 100, is_squared: planned.isSquared,
      is_late: planned.isLate)
  }
}

extension bl_endpoint {
  fileprivate init(_ endpoint: Endpoint) {
    switch endpoint {
    case .port(let port): self.init(node: UInt32.max, bus: UInt32(port))
    case .unit(let unit, let bus): self.init(node: UInt32(unit), bus: UInt32(bus))
    }
  }
}
