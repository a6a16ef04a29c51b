import RackModel
import UnitModel

/// Values of a plug-in's ports, with a name.
struct PlugInPreset {
  var uri: String
  var name: String
  /// Ports of other targets stay as they are.
  var values: [ControlTarget: Float]
  /// By the key of the state; a path is relative to the bundle.
  var properties: [String: String] = [:]
}

extension PlugIn {
  /// The description of a preset for this plug-in and others with the same parameters.
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
  /// What a preset may set; nil for ports without a stored value.
  fileprivate var target: ControlTarget? {
    switch self {
    case .parameter(let unit, let parameter, _) where parameter.info.isStored:
      .parameter(unit: unit, address: parameter.address)
    case .bypass(let unit, _): .bypass(unit: unit)
    default: nil
    }
  }
}
