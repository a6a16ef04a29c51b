import AudioUnits
import RackModel

/// A rack that plays or is about to: the plan, its units, and the JACK ports it plays through, while
/// there is a server.
struct LiveRack {
  let plan: Plan
  let units: [RackUnit]
  var ports: JackPortSet?
  let format: RenderFormat

  /// The plan with the present parameters and bypasses of those of its units that this rack has too.
  ///
  /// By key path, as a unit that was built anew may have them at other addresses.
  func passingParameters(
    to plan: Plan, of kept: KeptUnits, catalogue: ComponentCatalogue
  ) -> Plan {
    var plan = plan
    for (place, planned) in plan.units.enumerated() where kept.keeps(planned.name) {
      guard
        let unit = units.first(where: {
          $0.name == kept.formerName(of: planned.name)
            && $0.planned.component == planned.component
        }), let facts = try? catalogue.facts(for: planned.reference).first
      else { continue }
      let busses = planned.inputChannelCounts.count
      var values = planned.values(with: facts)
      for (address, value) in unit.audioUnit.parameterValues {
        guard let keyPath = unit.audioUnit.facts.parameter(at: address)?.keyPath,
          let parameter = facts.parameter(atKeyPath: keyPath, inputBusCount: busses),
          parameter.info.flags.contains(.writable)
        else { continue }
        values[parameter.address] = parameter.info.nearest(to: value)
      }
      plan.units[place].isBypassed = unit.audioUnit.shouldBypassEffect
      plan.units[place].parameters = values.sorted { $0.key < $1.key }.compactMap {
        address, value in
        facts.parameter(at: address).map {
          PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
        }
      }
    }
    return plan
  }

  /// The same rack, planned with the parameters and bypasses that its units have now.
  func asItIs(catalogue: ComponentCatalogue) -> LiveRack {
    LiveRack(
      plan: passingParameters(to: plan, of: .all, catalogue: catalogue), units: units, ports: ports,
      format: format)
  }

  func wiring(outputs fade: PlanLowering.Fade = .none) -> PlanLowering.Wiring {
    PlanLowering.Wiring(plan, units: units, outputs: fade)
  }

  /// Both racks at once, what only the old one has fading out and what only the new one has fading
  /// in; nil where their ports or formats differ, so that one graph cannot have both.
  ///
  /// A sound fades once on its way, where it comes to what both have, so that the old and the new are
  /// never both quieter than they should: what leads into a new unit comes up before, and what leads
  /// into a unit that goes stays to the end.
  static func transition(from old: LiveRack, to new: LiveRack) -> PlanLowering.Wiring? {
    guard old.format == new.format,
      old.plan.inputs.map(\.channelNames) == new.plan.inputs.map(\.channelNames),
      old.plan.outputs.map(\.channelNames) == new.plan.outputs.map(\.channelNames),
      old.plan.midiInputs.map(\.name) == new.plan.midiInputs.map(\.name),
      old.plan.midiOutputs.map(\.name) == new.plan.midiOutputs.map(\.name)
    else { return nil }
    var wiring = PlanLowering.Wiring(new.plan, units: new.units)
    let places = old.units.map { unit in
      if let place = wiring.units.firstIndex(where: { $0 === unit }) { return place }
      wiring.units.append(unit)
      return wiring.units.count - 1
    }
    let oldCables = old.plan.cables.map { $0.moved(to: places) }
    wiring.cables = new.plan.cables.map { cable in
      if oldCables.contains(where: { $0.connectsLike(cable) }) { return (cable, .none) }
      let isIntoNew = cable.destination.unit.map { !places.contains($0) } ?? false
      return (cable, isIntoNew ? .leadsIn : .fadesIn)
    }
    wiring.cables += oldCables.filter { cable in
      !new.plan.cables.contains { $0.connectsLike(cable) }
    }.map { cable in
      let isIntoOld = cable.destination.unit.map { $0 >= new.units.count } ?? false
      return (cable, isIntoOld ? .none : .fadesOut)
    }
    for cable in old.plan.midiCables.map({ $0.moved(to: places) })
    where !wiring.midiCables.contains(where: { $0.connectsLike(cable) }) {
      wiring.midiCables.append(cable)
    }
    return wiring
  }
}

extension Cable {
  fileprivate func connectsLike(_ other: Cable) -> Bool {
    (source, destination, isFeedback) == (other.source, other.destination, other.isFeedback)
  }

  /// The same cable where unit n stands at `places[n]`.
  fileprivate func moved(to places: [Int]) -> Cable {
    Cable(
      source: source.moved(to: places), destination: destination.moved(to: places),
      isFeedback: isFeedback, position: position)
  }
}

extension MIDICable {
  fileprivate func moved(to places: [Int]) -> MIDICable {
    MIDICable(
      source: source.moved(to: places), destination: destination.moved(to: places),
      position: position)
  }
}

extension Endpoint {
  fileprivate func moved(to places: [Int]) -> Endpoint {
    guard case .unit(let unit, let bus) = self else { return self }
    return .unit(places[unit], bus: bus)
  }
}
