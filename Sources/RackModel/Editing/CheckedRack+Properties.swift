import Documents
import UnitModel

extension CheckedRack {
  /// Sets a unit's property in the plan and in the file; does nothing if the rack lacks the unit or has the
  /// value.
  package mutating func set(_ property: PlannedProperty, of id: UnitID) {
    guard let index = plan.units.firstIndex(where: { $0.id == id }),
      let entry = file.units.firstIndex(where: { $0.id == id }),
      !plan.units[index].properties.contains(property)
    else { return }
    bytes = nil
    plan.units[index].properties.removeAll { $0.index == property.index }
    plan.units[index].properties.append(property)
    plan.units[index].properties.sort { $0.index < $1.index }
    let identifier = plan.units[index].facts.properties[property.index].identifier
    file.units[entry].properties.removeAll { $0.key.value == identifier }
    file.units[entry].properties.append(Setting(identifier, property.value))
  }
}
