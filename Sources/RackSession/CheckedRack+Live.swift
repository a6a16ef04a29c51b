import AudioUnits
import RackEngine
import RackModel

extension CheckedRack {
  /// Returns the rack with the present values of its units.
  ///
  /// - Parameters:
  ///   - includingLanes: whether to include parameters that lanes move; otherwise these keep the
  ///     values of the last edit.
  ///   - ramps: the ramps whose parameters get their end values.
  func withValues(
    of units: [NamedUnit], includingLanes: Bool = false, atEndOf ramps: [Ramp] = []
  ) -> CheckedRack {
    var rack = self
    rack.plan = plan.withValues(of: units)
    for ramp in ramps {
      guard let index = plan.units.firstIndex(where: { $0.name == ramp.path.unit }) else {
        continue
      }
      let target = ControlTarget.parameter(unit: index, address: ramp.address)
      if rack.plan[target] == ramp.value { rack.plan[target] = ramp.to }
    }
    for lane in plan.automation where !includingLanes {
      rack.plan[lane.target] = plan[lane.target]
    }
    return rack
  }
}
