import RackModel
import UnitModel

/// A named set of values of a plug-in's ports.
struct PlugInPreset {
  var uri: String
  var name: String
  /// The values of ports, by target; ports of other targets stay as they are.
  var values: [ControlTarget: Float]
  /// The values of properties, by the key of their state entry; paths are relative to the bundle.
  var properties: [String: String] = [:]
}

extension PlugIn {
  /// Returns the description of a preset for this plug-in and others with the same parameters.
  func turtle(of preset: PlugInPreset, appliesTo plugIns: [String]) -> String {
    let values = ports.compactMap { port -> String? in
      guard let value = port.use.target.flatMap({ preset.values[$0] }) else { return nil }
      return "[ lv2:symbol \(Turtle.literal(port.symbol)) ; pset:value \(Turtle.number(value)) ]"
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
  /// The target that a preset may set; nil for ports without a stored value.
  fileprivate var target: ControlTarget? {
    switch self {
    case .parameter(let unit, let parameter, _) where parameter.info.isStored:
      .parameter(unit: unit, address: parameter.address)
    case .bypass(let unit, _): .bypass(unit: unit)
    default: nil
    }
  }
}
