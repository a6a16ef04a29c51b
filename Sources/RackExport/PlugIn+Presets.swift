import RackModel
import UnitModel

/// Values of a plug-in's ports, with a name.
struct PlugInPreset {
  var uri: String
  var name: String
  /// Ports of other targets have their initial values.
  var values: [ControlTarget: Float]
  /// By the key of the state; a path is relative to the bundle.
  var properties: [String: String] = [:]
}

extension PlugIn {
  /// The description of a preset for this plug-in and others with the same parameters.
  func turtle(of preset: PlugInPreset, appliesTo plugIns: [String]) -> String {
    let values = ports.compactMap { port -> String? in
      guard let (target, initial) = port.use.setting else { return nil }
      let value = Turtle.number(preset.values[target] ?? initial)
      return "[ lv2:symbol \(Turtle.literal(port.symbol)) ; pset:value \(value) ]"
    }
    var predicates = [
      "a pset:Preset", "rdfs:label \(Turtle.literal(preset.name))",
      "lv2:appliesTo " + plugIns.map { "<\($0)>" }.joined(separator: " , "),
    ]
    if !values.isEmpty { predicates.append("lv2:port " + values.joined(separator: " ,\n      ")) }
    let properties = state.compactMap { entry in
      preset.properties[entry.key].map { value in
        "<\(entry.key)> "
          + (entry.info.isPath
            ? "\(Turtle.literal(value))^^atom:Path" : Turtle.literal(value))
      }
    }
    if !properties.isEmpty {
      predicates.append("state:state [ \(properties.joined(separator: " ; ")) ]")
    }
    return Turtle.statement("<\(preset.uri)>", predicates)
  }
}

extension PlugIn.Port.Use {
  /// What a preset sets, and its initial value; nil for ports without a stored value.
  fileprivate var setting: (target: ControlTarget, initial: Float)? {
    switch self {
    case .parameter(let unit, let parameter, let initial) where parameter.info.isStored:
      (.parameter(unit: unit, address: parameter.address), initial)
    case .bypass(let unit, let initial): (.bypass(unit: unit), initial ? 1 : 0)
    default: nil
    }
  }
}
