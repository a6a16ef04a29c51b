import RackEngine
import RackModel
import UnitModel

/// Automation that reaches everything.
enum Automations {
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
