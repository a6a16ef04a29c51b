import AudioUnits
import Documents
import RackModel
import UnitModel

extension LV2Bundle {
  /// Adds a rack as one plug-in. Its parameters are those that its controls and scenes move, and those
  /// of `exposed`; its presets are the scenes.
  ///
  /// - Parameter exposed: `unit.parameter` or `unit.bypass` each.
  /// - Returns: Warnings.
  public mutating func add(_ plan: Plan, exposing exposed: [String] = []) throws -> [String] {
    var plan = plan
    var warnings: [String] = []
    let components = try plan.units.map(component)
    var libraries: [String?] = []
    for component in components { libraries.append(try addLibrary(of: component)) }
    let facts = components.map(\.facts)
    for (place, unit) in plan.units.enumerated() {
      plan.units[place].properties = unit.properties.filter {
        !facts[place].properties[$0.index].holdsSound
      }
      for property in plan.units[place].properties
      where facts[place].properties[property.index].isPath {
        _ = addFile(property.value)
      }
    }
    if !plan.automation.isEmpty {
      warnings.append("\(plan.name): its automation is left out; automate the plug-in in the host")
    }
    // Commands are carried out by a program that plays the rack.
    plan.controls.removeAll { control in
      guard case .command(let command) = control.action else { return false }
      return command != .panic
    }
    let targets = try targets(of: plan, facts, exposed)
    if targets.isEmpty {
      warnings.append(
        "\(plan.name): no control or scene moves a parameter, so that the plug-in has none; name some"
          + " with --expose UNIT.PARAMETER")
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

  /// In the order of the units.
  private func targets(
    of plan: Plan, _ facts: [UnitFacts], _ exposed: [String]
  ) throws(Failure) -> [ControlTarget] {
    var targets: Set<ControlTarget> = []
    for control in plan.controls {
      if case .move(let target, _, _, _, _) = control.action { targets.insert(target) }
    }
    for scene in plan.scenes { targets.formUnion(scene.values.map(\.target)) }
    for path in exposed { targets.insert(try Self.target(path, of: plan, facts)) }
    return targets.sorted { $0.place < $1.place }
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

extension ControlTarget {
  /// By unit; its bypass comes after its parameters.
  fileprivate var place: (Int, UInt64) {
    switch self {
    case .parameter(let unit, let address): (unit, address)
    case .bypass(let unit): (unit, .max)
    }
  }
}

extension String {
  fileprivate var replacingSpaces: String { String(map { $0.isWhitespace ? "-" : $0 }) }
}
