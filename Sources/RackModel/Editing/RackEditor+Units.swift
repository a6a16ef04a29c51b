import Documents
import UnitModel

/// Edits of units and their cables.
extension RackEditor {
  /// Adds a unit.
  ///
  /// - Parameters:
  ///   - inputs: the number of input busses; nil for the unit's own.
  ///   - cable: the cable to insert the unit into, `gate -> echo`; nil for none.
  package func add(
    _ name: String, _ unit: String, preset: String? = nil, inputs: Int? = nil,
    into cable: String? = nil, to rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    let after = try edited(rack) { file throws(Refusal) in
      try checkIsFree(name, in: file)
      var entry = Rack.Unit(name, unit, preset: preset)
      entry.inputs = inputs.map { Located($0) }
      if let cable { try cables(of: file).insert(name, into: cable, in: &file) }
      file.units.append(entry)
    }
    try checkPreset(preset, of: name, in: after)
    return after
  }

  /// Removes a unit. Its sources are connected to its destinations, except at named busses.
  package func remove(_ name: String, from rack: CheckedRack) throws(Refusal) -> CheckedRack {
    // The bridge may be impossible, as from MIDI through a synth to audio; then the cables are removed.
    if let rack = try? removed(name, from: rack, isClosed: true) { return rack }
    return try removed(name, from: rack, isClosed: false)
  }

  private func removed(
    _ name: String, from rack: CheckedRack, isClosed: Bool
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      let index = try self.index(of: name, in: file)
      cables(of: file).remove(name, in: &file, isClosed: isClosed)
      file.removeTargets(of: name, checker.targets)
      file.removeModulations(by: name)
      file.units.remove(at: index)
    }
  }

  /// Replaces a unit by another with the same name and cables. Modulations, controls, scene values and
  /// lanes of parameters that the new unit lacks are removed.
  package func replace(
    _ name: String, by unit: String, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack, resetting: rack.id(ofUnit: name)) { file throws(Refusal) in
      let index = try self.index(of: name, in: file)
      let old = file.units[index]
      var new = old
      (new.unit, new.preset, new.inputs) = (Located(unit), nil, nil)
      (new.parameters, new.properties, new.songValues) = ([], [], SongValues())
      let resolver = UnitResolver(
        checker: checker, diagnostics: DiagnosticCollector(file: file.file))
      // If the unit is unknown, the check reports it.
      if let facts = try? checker.catalogue.facts(for: resolver.reference(unit)).first {
        // Only a unit that can add input busses keeps their number.
        if facts.canAddInputBusses { new.inputs = old.inputs }
        let busCount = new.inputs?.value ?? facts.inputBusses.count
        file.removeTargets(of: name, checker.targets) { keyPath in
          keyPath == ParameterPath.bypass
            || facts.parameter(atKeyPath: keyPath, inputBusCount: busCount) != nil
            || !facts.files(named: keyPath).isEmpty
        }
      }
      file.units[index] = new
    }
  }

  package func rename(
    _ name: String, to new: String, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      let index = try self.index(of: name, in: file)
      try checkIsFree(new, in: file)
      file.units[index].name = Located(new)
      file.renameTargets(of: name, to: new, checker.targets)
      for (number, chain) in file.connections.enumerated() {
        for (end, text) in chain.endpoints.enumerated() where text.value.chainUnitName == name {
          file.connections[number].endpoints[end].value = new + text.value.dropFirst(name.count)
        }
      }
    }
  }

  /// Connects a chain: `gate -> echo -> mix.1`.
  package func connect(_ chain: String, in rack: CheckedRack) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in try cables(of: file).connect(chain, in: &file) }
  }

  /// Removes every cable of a chain.
  package func disconnect(_ chain: String, in rack: CheckedRack) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in try cables(of: file).disconnect(chain, in: &file) }
  }

  /// Loads a preset into a unit; its values replace the unit's own.
  ///
  /// - Throws: `Refusal` where there is no such preset.
  package func load(
    preset: String, into name: String, of rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    let reset = rack.id(ofUnit: name)
    let after = try edited(rack, resetting: reset) { file throws(Refusal) in
      let index = try self.index(of: name, in: file)
      file.units[index].preset = Located(preset)
      file.units[index].parameters = []
      // A plug-in's data is settings, and is replaced. Files, texts and learnt data stay, unless the preset
      // has them.
      if let facts = rack.plan.units.first(where: { $0.name == name })?.facts {
        let own = checker.presets(facts).first { $0.presetName == preset }?.properties ?? [:]
        let replaced = facts.properties.filter {
          $0.kind == .data && (facts.component.plugIn != nil || own[$0.identifier] != nil)
        }.map(\.identifier)
        file.units[index].properties.removeAll { replaced.contains($0.key.value) }
      }
      file.units[index].songValues = SongValues()
    }
    try checkPreset(preset, of: name, in: after)
    return after
  }

  /// Throws `Refusal` where there is no such preset.
  private func checkPreset(
    _ preset: String?, of name: String, in rack: CheckedRack
  ) throws(Refusal) {
    guard let preset, let unit = rack.plan.units.first(where: { $0.name == name }),
      unit.presetName == nil
    else { return }
    throw checker.absence(ofPreset: preset, of: unit.facts)
  }

  /// Sets a property to a value as a rack file writes it.
  package func set(
    _ property: String, of name: String, to value: String, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      let index = try self.index(of: name, in: file)
      file.units[index].properties.removeAll { $0.key.value == property }
      file.units[index].properties.append(Setting(property, value))
    }
  }
}
