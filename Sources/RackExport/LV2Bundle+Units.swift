import AudioUnits
import Documents
import RackModel
import UnitModel

extension LV2Bundle {
  /// Adds a unit: a plug-in for each channel layout, with all parameters and presets.
  public mutating func add(_ component: Component) throws {
    let facts = component.facts
    let library = try addLibrary(of: component)
    let uri = base + "\(facts.component)"
    let state = facts.properties.enumerated().filter { $1.kind != .dataFile }.map { index, info in
      PlugIn.StateEntry(
        unit: 0, index: index, key: "\(uri)#\(Turtle.escaped(info.identifier))", info: info)
    }
    let plugIns = try ChannelLayout.all(of: facts).map { layout in
      let plan = try Plan(
        around: facts, bundle: component.bundle?.path, inputs: layout.inputs,
        output: layout.output)
      var plugIn = PlugIn(
        uri: "\(uri):\(layout.name)", name: "\(facts.name) (\(layout.name))",
        summary: facts.summary, license: library == nil ? Self.ownLicense : license,
        maintainer: facts.manufacturerName, version: facts.version,
        classes: facts.lv2Classes, plan: plan, facts: [facts], state: state)
      plugIn.addPorts(
        for: facts.allParameters().map { .parameter(unit: 0, address: $0.address) })
      return plugIn
    }
    guard !plugIns.isEmpty else {
      throw Failure(description: "\(facts.name) has no channel layout that can be exported")
    }
    try append(
      Entry(
        name: facts.component.fileName, plugIns: plugIns, libraries: [library],
        presets: presets(of: component, state: state, uri: uri)))
  }

  /// Returns the presets that come with a unit, without user presets.
  private mutating func presets(
    of component: Component, state: [PlugIn.StateEntry], uri: String
  ) throws -> [PlugInPreset] {
    let facts = component.facts
    var presets: [PlugInPreset] = []
    let listing = PresetLibrary.standard.presets(of: facts).entries
    for entry in listing where !entry.preset.isUserPreset {
      let own = entry.state.values(for: facts)
      // Parameters that the preset does not name have their defaults.
      let values = facts.allParameters().map { parameter in
        (
          ControlTarget.parameter(unit: 0, address: parameter.address),
          own[parameter.address] ?? parameter.info.defaultValue
        )
      }
      var preset = PlugInPreset(
        uri: "\(uri)#preset_\(Turtle.escaped(entry.preset.name))", name: entry.preset.name,
        values: Dictionary(values) { $1 })
      for setting in state {
        guard let value = entry.state.properties[setting.info.identifier] else { continue }
        preset.properties[setting.key] =
          setting.info.isPath
          ? try files.add(value, property: setting.info, of: component) : value
      }
      presets.append(preset)
    }
    return presets
  }
}

extension UnitFacts {
  /// The local names of the nearest LV2 classes.
  fileprivate var lv2Classes: [String] {
    let byType = [
      "aumu": "InstrumentPlugin", "augn": "GeneratorPlugin", "aumx": "MixerPlugin",
      "aupn": "SpatialPlugin", "aufc": "ConverterPlugin", "aumi": "MIDIPlugin",
    ]
    if let name = byType["\(component.type)"] { return [name] }
    let byTag = [
      ("reverb", "ReverbPlugin"), ("delay", "DelayPlugin"), ("distortion", "DistortionPlugin"),
      ("dynamics", "DynamicsPlugin"), ("filter", "FilterPlugin"), ("equalizer", "EQPlugin"),
      ("pitch", "PitchPlugin"), ("cabinet", "SimulatorPlugin"), ("modulation", "ModulatorPlugin"),
      ("space", "SpatialPlugin"), ("level", "AmplifierPlugin"), ("utility", "UtilityPlugin"),
    ]
    return byTag.first { tag, _ in tags.contains { ComponentTag.areAlike($0, tag) } }
      .map { [$0.1] } ?? []
  }
}
