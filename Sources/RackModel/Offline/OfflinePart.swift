import Documents
import UnitModel

/// A part of a rendering: the units that play together before, between or after offline effects.
package struct OfflinePart {
  /// The source of an input port of the part, or the destination of an output port.
  package enum End: Hashable, Sendable {
    /// A port of the rack, by its index.
    case port(Int)
    /// The output of an offline effect or of a unit of an earlier part, by its index in the rack.
    case sound(Endpoint)
    /// The input of an offline effect, by its index in the rack.
    case effect(Int)
  }

  /// The plan of this part alone: its units, cables, modulations, controls, scenes and lanes.
  package var plan: Plan
  /// The source of each input of the plan.
  package fileprivate(set) var inputs: [End] = []
  /// The destination of each output of the plan.
  package fileprivate(set) var outputs: [End] = []
  /// The offline effects that run after the part, by their indices in the rack.
  package fileprivate(set) var effects: [Int] = []
}

extension Plan {
  /// Whether the rack has an offline effect.
  package var hasOfflineEffects: Bool { units.contains(where: \.isOfflineEffect) }

  /// The parts of a rendering in their order; the whole plan as one part without offline effects.
  package var offlineParts: [OfflinePart] {
    guard hasOfflineEffects else {
      var part = OfflinePart(plan: self)
      part.inputs = inputs.indices.map { .port($0) }
      part.outputs = outputs.indices.map { .port($0) }
      return [part]
    }
    let division = OfflineDivision(self)
    return (0...division.last).map(division.part)
  }
}

extension PlannedUnit {
  package var isOfflineEffect: Bool { component.type == .offlineEffect }
}

/// Divides a plan into parts.
private struct OfflineDivision {
  let rack: Plan
  let order: OfflineOrder
  /// The units that reach an output; offline effects outside this set are not rendered.
  let heard: Set<Int>
  /// The part of each output of the rack.
  let portParts: [Int]

  init(_ rack: Plan) {
    self.rack = rack
    let cables = rack.cables + rack.modulations.map { $0.cable(at: .nowhere) }
    let order = OfflineOrder(
      isOffline: rack.units.map(\.isOfflineEffect), cables: cables, midiCables: rack.midiCables)
    self.order = order
    heard = UnitGraph.audibleUnits(cables: cables, midiCables: rack.midiCables)
    portParts = rack.outputs.indices.map { port in
      rack.cables.filter { $0.destination == .port(port) }
        .map { order.part(behind: $0.source) }.max() ?? 0
    }
  }

  var last: Int {
    (portParts + rack.units.indices.map { order.part(behind: .unit($0, bus: 0)) }).max() ?? 0
  }

  private func part(of destination: Endpoint) -> Int {
    switch destination {
    case .port(let port): portParts[port]
    case .unit(let unit, _): order.parts[unit]
    }
  }

  func part(_ number: Int) -> OfflinePart {
    let here = rack.units.indices.filter { order.parts[$0] == number }
    let members = here.filter { !rack.units[$0].isOfflineEffect }
    let indices = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
    var part = OfflinePart(plan: rack)
    part.effects = here.filter { rack.units[$0].isOfflineEffect && heard.contains($0) }
    part.plan.units = members.map { rack.units[$0] }
    (part.plan.inputs, part.plan.outputs, part.plan.cables) = ([], [], [])
    for port in rack.outputs.indices where portParts[port] == number {
      part.addOutput(.port(port), rack.outputs[port])
    }
    for effect in part.effects {
      let unit = rack.units[effect]
      part.addOutput(
        .effect(effect),
        Port(name: unit.name, channelCount: unit.inputChannelCounts[0], ceiling: .off))
    }
    /// The source within the part.
    func source(_ end: Endpoint) -> Endpoint {
      switch end {
      case .port(let port): return .port(part.input(.port(port), rack.inputs[port]))
      case .unit(let unit, let bus):
        if let index = indices[unit] { return .unit(index, bus: bus) }
        let channels = rack.units[unit].outputChannelCounts[bus]
        return .port(
          part.input(.sound(end), Port(name: rack.units[unit].name, channelCount: channels)))
      }
    }
    /// The destination within the part.
    func destination(_ end: Endpoint) -> Endpoint? {
      switch end {
      case .port(let port): part.outputs.firstIndex(of: .port(port)).map { .port($0) }
      case .unit(let unit, let bus):
        indices[unit].map { .unit($0, bus: bus) }
          ?? part.outputs.firstIndex(of: .effect(unit)).map { .port($0) }
      }
    }
    for cable in rack.cables where self.part(of: cable.destination) == number {
      guard let end = destination(cable.destination) else { continue }
      var own = cable
      (own.source, own.destination) = (source(cable.source), end)
      part.plan.cables.append(own)
    }
    for cable in rack.cables where self.part(of: cable.destination) > number {
      guard case .unit(let unit, let bus) = cable.source, let index = indices[unit],
        !part.outputs.contains(.sound(cable.source))
      else { continue }
      let channels = rack.units[unit].outputChannelCounts[bus]
      let port = part.addOutput(
        .sound(cable.source),
        Port(name: rack.units[unit].name, channelCount: channels, ceiling: .off))
      part.plan.cables.append(
        Cable(
          source: .unit(index, bus: bus), destination: .port(port), position: cable.position))
    }
    part.plan.midiCables = rack.midiCables.compactMap { cable in
      guard case .unit(let unit, let bus) = cable.destination, let index = indices[unit] else {
        return nil
      }
      var own = cable
      own.destination = .unit(index, bus: bus)
      if cable.source.unit != nil { own.source = source(cable.source) }
      return own
    }
    part.plan.modulations = rack.modulations.compactMap { modulation in
      guard let index = indices[modulation.unit] else { return nil }
      var own = modulation
      (own.source, own.unit) = (source(modulation.source), index)
      return own
    }
    part.plan.keepTargets(of: indices)
    return part
  }
}

extension OfflinePart {
  /// Returns the index of an input port, which is added if it is missing.
  fileprivate mutating func input(_ end: End, _ port: Port) -> Int {
    if let index = inputs.firstIndex(of: end) { return index }
    inputs.append(end)
    plan.inputs.append(port)
    return inputs.count - 1
  }

  @discardableResult
  fileprivate mutating func addOutput(_ end: End, _ port: Port) -> Int {
    outputs.append(end)
    plan.outputs.append(port)
    return outputs.count - 1
  }
}

extension Plan {
  /// Keeps the controls, scene values and lanes of a part's units, and updates their unit indices.
  fileprivate mutating func keepTargets(of indices: [Int: Int]) {
    controls = controls.compactMap { control in
      guard case .move(let target, let mode, let from, let to, let curve) = control.action else {
        return control
      }
      var own = control
      guard let moved = target.moved(to: indices) else { return nil }
      own.action = .move(moved, mode: mode, from: from, to: to, curve: curve)
      return own
    }
    for scene in scenes.indices {
      scenes[scene].values = scenes[scene].values.compactMap { value in
        value.target.moved(to: indices).map { .init(target: $0, value: value.value) }
      }
    }
    automation = automation.compactMap { lane in
      var own = lane
      guard let target = lane.target.moved(to: indices) else { return nil }
      own.target = target
      return own
    }
  }
}

extension ControlTarget {
  fileprivate func moved(to indices: [Int: Int]) -> ControlTarget? {
    switch self {
    case .parameter(let unit, let address):
      indices[unit].map { .parameter(unit: $0, address: address) }
    case .bypass(let unit): indices[unit].map { .bypass(unit: $0) }
    }
  }
}
