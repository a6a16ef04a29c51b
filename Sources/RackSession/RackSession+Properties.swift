import Documents
import RackEngine
import RackModel
import UnitModel

/// Texts and paths of units, which are set while they play.
extension RackSession {
  /// A `set` that reaches a unit's text or path is an edit of the rack, since it may take its time: a file
  /// is read. Every other command stays as it is.
  package func resolved(_ command: Command) -> Command {
    guard case .set(let target, let value) = command else { return command }
    let path = FilePath(target)
    guard let facts = unit(named: path.unit)?.facts,
      facts.properties.contains(where: { $0.identifier == path.property }),
      facts.parameter(atKeyPath: path.property, inputBusCount: facts.inputBusses.count) == nil
    else { return command }
    return .edit(.setProperty(name: path.unit, property: path.property, value: value))
  }

  /// Whether the property of a unit names a file, or may: what is in its data is its own matter.
  package func namesFile(_ property: String, of name: String) -> Bool {
    let info = unit(named: name)?.facts.properties.first { $0.identifier == property }
    return info?.kind != .text
  }

  /// - Throws: `Refusal` where the edit names a file that is not there: what was playing goes on.
  func checkFile(of edit: RackEdit, in rack: CheckedRack) throws(Refusal) {
    guard case .setProperty(let name, let property, let value) = edit,
      let place = unit(named: name)?.facts.properties.firstIndex(where: {
        $0.identifier == property
      }),
      let planned = rack.plan.units.first(where: { $0.name == name }),
      !planned.properties.contains(where: { $0.index == place })
    else { return }
    throw Refusal("there is no file “\(value)”; \(name) plays on as it was")
  }
}
