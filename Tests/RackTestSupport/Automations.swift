import RackEngine
import UnitModel

@testable import RackModel

/// Lanes for a plan's parameters.
package enum Automations {
  package struct Unknown: Error { var keyPath: String }

  /// One parameter by its key path, from where the plan has it straight to a value, point by point.
  package static func lane(
    _ plan: Plan, unit: Int, _ keyPath: String, _ points: [(time: Double, value: Float)]
  ) throws -> PlannedLane {
    let planned = plan.units[unit]
    let facts = TestRacks.catalogue.facts.first { $0.component == planned.component }
    let busses = planned.inputChannelCounts.count
    guard let found = facts?.parameter(atKeyPath: keyPath, inputBusCount: busses) else {
      throw Unknown(keyPath: keyPath)
    }
    return PlannedLane(
      target: .parameter(unit: unit, address: found.address), clock: .seconds,
      curve: .along(.linear), points: points.map { .init(time: $0.time, value: $0.value) },
      info: found.info)
  }

  /// One parameter from where the plan has it to a value, by a step or a ramp.
  package static func change(
    _ plan: Plan, unit: Int, _ keyPath: String, to value: Float, at time: Double, ramp: Double = 0
  ) throws -> PlannedLane {
    var lane = try lane(plan, unit: unit, keyPath, [])
    lane.points = points(of: plan, lane, to: value, at: time, ramp: ramp)
    return lane
  }

  private static func points(
    of plan: Plan, _ lane: PlannedLane, to value: Float, at time: Double, ramp: Double
  ) -> [PlannedLane.Point] {
    guard case .parameter(let unit, let address) = lane.target else { return [] }
    let start = plan.units[unit].parameters.first { $0.address == address }?.value
    return [
      .init(time: time, value: start ?? lane.info.defaultValue),
      .init(time: time + ramp, value: value),
    ]
  }

  /// Every rampable parameter of every unit goes three tenths of its range up, or down where there
  /// is no room.
  package static func everyRampable(of plan: Plan, at time: Double, ramp: Double) -> [PlannedLane] {
    plan.units.enumerated().flatMap { place, unit -> [PlannedLane] in
      let facts = TestRacks.catalogue.facts.first { $0.component == unit.component }
      let parameters = facts?.allParameters(inputBusCount: unit.inputChannelCounts.count) ?? []
      return parameters.filter { $0.info.flags.contains(.rampable) }.map { parameter in
        let info = parameter.info
        let value = unit.parameters.first { $0.address == parameter.address }?.value
        let way = 0.3 * (info.maximum - info.minimum)
        let start = value ?? info.defaultValue
        return PlannedLane(
          target: .parameter(unit: place, address: parameter.address), clock: .seconds,
          curve: .along(.linear),
          points: [
            .init(time: time, value: start),
            .init(
              time: time + ramp, value: start + way <= info.maximum ? start + way : start - way),
          ], info: info)
      }
    }
  }
}
