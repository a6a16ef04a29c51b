import AudioUnits
import Documents
import RackModel
import UnitModel

extension LV2Bundle {
  /// Adds a rack as a plug-in. The plug-in's parameters are those of the plan, and those of `exposed`; its
  /// presets are the scenes.
  ///
  /// - Parameter exposed: paths of parameters, `unit.parameter` or `unit.bypass` each.
  /// - Returns: Warnings.
  /// - Throws: `Failure`, or an error of the catalogue.
  public mutating func add(_ plan: Plan, exposing exposed: [String] = []) throws -> [String] {
    var plan = plan
    var warnings: [String] = []
    let components = try plan.units.map(component)
    var libraries: [String?] = []
    for component in components { libraries.append(try addLibrary(of: component)) }
    let facts = components.map(\.facts)
    for (index, unit) in plan.units.enumerated() {
      plan.units[index].properties = unit.properties.filter {
        facts[index].properties[$0.index].kind != .dataFile
      }
      for property in plan.units[index].properties {
        let info = facts[index].properties[property.index]
        guard info.isPath else { continue }
        do {
          _ = try files.add(property.value, property: info, of: components[index])
        } catch {
          throw Failure(description: "unit \(unit.name): \(error.reason)")
        }
      }
    }
    if !plan.automation.isEmpty {
      warnings.append("\(plan.name): its automation is left out; automate the plug-in in the host")
    }
    // Commands need a program that plays the rack.
    plan.controls.removeAll { control in
      switch control.action {
      case .command, .tap: true
      case .move, .recall, .panic: false
      }
    }
    for path in exposed {
      let target = try Self.target(path, of: plan, facts)
      if !plan.exposed.contains(target) { plan.exposed.append(target) }
    }
    let targets = plan.parameters
    if targets.isEmpty {
      warnings.append(
        "\(plan.name): it exposes no parameter, and no control or scene moves one, so that the plug-in has"
          + " none; name some with --expose UNIT.PARAMETER")
    }
    let uri = "\(base)rack:\(Turtle.escaped(plan.name.lowercased().replacingSpaces))"
    let isOwn = libraries.allSatisfy { $0 == nil }
    var plugIn = PlugIn(
      uri: uri, name: plan.name, license: isOwn ? Self.ownLicense : license,
      maintainer: facts.first?.manufacturerName ?? "Backline",
      classes: plan.inputs.isEmpty && !plan.midiInputs.isEmpty ? ["InstrumentPlugin"] : [],
      plan: plan, facts: facts)
    plugIn.addPorts(for: targets)
    let presets = plan.scenes.map { scene in
      PlugInPreset(
        uri: "\(uri)#scene_\(Turtle.escaped(scene.name))", name: scene.name,
        values: Dictionary(scene.values.map { ($0.target, $0.value) }) { $1 })
    }
    try append(
      Entry(
        name: fileName(of: plugIn), plugIns: [plugIn], libraries: libraries, presets: presets))
    return warnings
  }

  private func component(of unit: PlannedUnit) throws -> Component {
    guard let component = try catalogue.components(for: unit.reference).first else {
      throw Failure(description: "unit \(unit.name): there is no unit \(unit.reference)")
    }
    return component
  }

  private static func target(
    _ path: String, of plan: Plan, _ facts: [UnitFacts]
  ) throws(Failure) -> ControlTarget {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw Failure(description: "--expose “\(path)”: write UNIT.PARAMETER")
    }
    guard let unit = plan.units.firstIndex(where: { $0.name == parts[0] }) else {
      let nearest = nearestWord(to: parts[0], in: plan.units.map(\.name))
      throw Failure(
        description: "--expose: rack \(plan.name) has no unit “\(parts[0])”"
          + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    if parts[1] == "bypass" { return .bypass(unit: unit) }
    let count = plan.units[unit].inputChannelCounts.count
    guard let parameter = facts[unit].parameter(atKeyPath: parts[1], inputBusCount: count) else {
      let known = facts[unit].allParameters(inputBusCount: count).map(\.keyPath)
      let nearest = nearestWord(to: parts[1], in: known)
      throw Failure(
        description: "--expose: unit \(parts[0]) has no parameter “\(parts[1])”"
          + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    return .parameter(unit: unit, address: parameter.address)
  }
}

extension String {
  fileprivate var replacingSpaces: String { String(map { $0.isWhitespace ? "-" : $0 }) }
}
