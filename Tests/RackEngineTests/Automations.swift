import RackEngine
import RackModel
import UnitModel

/// Automation for a plan.
enum Automations {
  struct Unknown: Error { var keyPath: String }

  /// One parameter by its key path.
  static func change(
    _ plan: Plan, unit: Int, _ keyPath: String, to value: Float, at time: Double, ramp: Double = 0
  ) throws -> OfflineJob.Automation {
    let planned = plan.units[unit]
    let facts = TestRacks.catalogue.facts.first { $0.component == planned.component }
    let busses = planned.inputChannelCounts.count
    guard let found = facts?.parameter(atKeyPath: keyPath, inputBusCount: busses) else {
      throw Unknown(keyPath: keyPath)
    }
    return OfflineJob.Automation(
      unit: unit, address: found.address, value: value, time: time, ramp: ramp)
  }

  /// Every rampable parameter of every unit goes three tenths of its range up, or down where there
  /// is no room.
  static func everyRampable(of plan: Plan, at time: Double, ramp: Double) -> [OfflineJob.Automation]
  {
    plan.units.enumerated().flatMap { place, unit -> [OfflineJob.Automation] in
      let facts = TestRacks.catalogue.facts.first { $0.component == unit.component }
      let parameters = facts?.allParameters(inputBusCount: unit.inputChannelCounts.count) ?? []
      return parameters.filter { $0.info.flags.contains(.rampable) }.map { parameter in
        let info = parameter.info
        let value = unit.parameters.first { $0.address == parameter.address }?.value
        let way = 0.3 * (info.maximum - info.minimum)
        let start = value ?? info.defaultValue
        return OfflineJob.Automation(
          unit: place, address: parameter.address,
          value: start + way <= info.maximum ? start + way : start - way, time: time, ramp: ramp)
      }
    }
  }
}
