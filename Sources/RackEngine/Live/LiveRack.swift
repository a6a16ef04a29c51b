import AudioUnits
import JackIO
import RackLowering
import RackModel

/// A rack that plays or is about to: the plan, its units, and its JACK ports while there is a server.
struct LiveRack {
  let plan: Plan
  let units: [RackUnit]
  var ports: JackPortSet?
  let format: RenderFormat
  var spillover = Spillover()

  /// The units in the order of the plan, with the present values of the render side.
  var namedUnits: [NamedUnit] {
    units.map { unit in
      unit.audioUnit.applyRenderChanges()
      return NamedUnit(id: unit.id, name: unit.name, audioUnit: unit.audioUnit)
    }
  }

  /// The same rack, with the units' present values in its plan.
  var withPresentValues: LiveRack {
    LiveRack(
      plan: plan.withValues(of: namedUnits), units: units, ports: ports, format: format,
      spillover: spillover)
  }

  /// Returns the wiring of the rack and its spillover, with `fade` for cables into outputs; those of the
  /// spillover never fade in.
  func wiring(outputs fade: CableFade = .none) -> PlanLowering.Wiring {
    var wiring = PlanLowering.Wiring(plan, units: units, outputs: fade)
    wiring.units = allUnits
    wiring.spillover = units.count..<allUnits.count
    wiring.cables += spillover.cables.map { cable in
      if case .port = cable.destination, fade == .fadesOut { return (cable, fade) }
      return (cable, .none)
    }
    return wiring
  }

  /// Returns the wiring that fades the rack out at its outputs, except the spillover of `new`, which receives
  /// no new input.
  func leaving(for new: LiveRack) -> PlanLowering.Wiring {
    var wiring = wiring(outputs: .fadesOut)
    let spilling = Set(new.spillover.units.map(\.unit.identifier))
    let spills = allUnits.map { spilling.contains($0.identifier) }
    wiring.cables = wiring.cables.map { cable, fade in
      let leavesIt = cable.source.unit.map { spills[$0] } ?? false
      let entersIt = cable.destination.unit.map { spills[$0] } ?? false
      if leavesIt { return (cable, leadsOn(cable, in: new) ? .none : fade) }
      return (cable, entersIt ? .fadesOut : fade)
    }
    wiring.midiCables.removeAll { $0.destination.unit.map { spills[$0] } ?? false }
    return wiring
  }

  /// Returns the wiring of both racks at once: cables of only the old rack fade out, cables of only the new
  /// rack fade in. Nil if the racks' ports or formats differ.
  ///
  /// A sound fades once on its path, where it enters a unit or an output of both racks: cables into new units
  /// fade in before, cables into former units stay to the end, and cables into the spillover fade out.
  static func transition(from old: LiveRack, to new: LiveRack) -> PlanLowering.Wiring? {
    guard old.format == new.format,
      old.plan.inputs.map(\.channelNames) == new.plan.inputs.map(\.channelNames),
      old.plan.outputs.map(\.channelNames) == new.plan.outputs.map(\.channelNames),
      old.plan.midiInputs.map(\.name) == new.plan.midiInputs.map(\.name),
      old.plan.midiOutputs.map(\.name) == new.plan.midiOutputs.map(\.name)
    else { return nil }
    var wiring = new.wiring()
    let indices = old.allUnits.map { unit in
      if let index = wiring.units.firstIndex(where: { $0 === unit }) { return index }
      wiring.units.append(unit)
      return wiring.units.count - 1
    }
    let newCables = new.allCables
    let oldCables = old.allCables.compactMap { $0.moved(to: indices) }
    wiring.cables = newCables.map { cable in
      if oldCables.contains(where: { $0.connectsLike(cable) }) { return (cable, .none) }
      let isIntoNew = cable.destination.unit.map { !indices.contains($0) } ?? false
      return (cable, isIntoNew ? .leadsIn : .fadesIn)
    }
    wiring.cables += oldCables.filter { cable in
      !newCables.contains { $0.connectsLike(cable) }
    }.map { cable in
      let isIntoOld = cable.destination.unit.map { $0 >= wiring.spillover.upperBound } ?? false
      return (cable, isIntoOld ? .none : .fadesOut)
    }
    // Units that leave are modulated until they are removed.
    wiring.modulations += old.plan.modulations.compactMap { $0.moved(to: indices) }.filter {
      $0.unit >= new.units.count
    }
    for cable in old.plan.midiCables.compactMap({ $0.moved(to: indices) })
    where !wiring.midiCables.contains(where: { $0.connectsLike(cable) })
      && !(cable.destination.unit.map(wiring.spillover.contains) ?? false)
    {
      wiring.midiCables.append(cable)
    }
    return wiring
  }
}

extension Cable {
  /// Returns the cable with unit index `indices[n]` for n; nil if a unit has no new index.
  func moved(to indices: [Int?]) -> Cable? {
    guard let source = source.moved(to: indices), let destination = destination.moved(to: indices)
    else { return nil }
    var cable = self
    (cable.source, cable.destination) = (source, destination)
    return cable
  }
}

extension PlannedModulation {
  fileprivate func moved(to indices: [Int?]) -> PlannedModulation? {
    guard let source = source.moved(to: indices), let unit = indices[unit] else { return nil }
    var modulation = self
    (modulation.source, modulation.unit) = (source, unit)
    return modulation
  }
}

extension MIDICable {
  fileprivate func moved(to indices: [Int?]) -> MIDICable? {
    guard let source = source.moved(to: indices), let destination = destination.moved(to: indices)
    else { return nil }
    var cable = self
    (cable.source, cable.destination) = (source, destination)
    return cable
  }
}

extension Endpoint {
  fileprivate func moved(to indices: [Int?]) -> Endpoint? {
    guard case .unit(let unit, let bus) = self else { return self }
    return indices[unit].map { .unit($0, bus: bus) }
  }
}
