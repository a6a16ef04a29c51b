import CUnit
import UnitModel

extension UnitFacts {
  /// Reads a unit's descriptor; the only place where C tables become values.
  package init(_ descriptor: bl_unit_descriptor) {
    self.init(
      component: ComponentDescription(descriptor.component),
      version: descriptor.version,
      name: text(descriptor.name),
      manufacturerName: text(descriptor.manufacturer_name),
      summary: text(descriptor.summary),
      tags: texts(descriptor.tags),
      hasMIDIInput: descriptor.flags & UInt32(BL_UNIT_MIDI_INPUT) != 0,
      isMIDIOptional: descriptor.flags & UInt32(BL_UNIT_MIDI_OPTIONAL) != 0,
      virtualMIDICableCount: Int(descriptor.virtual_midi_cable_count),
      midiOutputNames: namesOfMIDIOutputs(descriptor),
      namesNotes: descriptor.note_name != nil,
      supportsMPE: descriptor.flags & UInt32(BL_UNIT_SUPPORTS_MPE) != 0,
      followsExpressions: descriptor.flags & UInt32(BL_UNIT_NOTE_EXPRESSIONS) != 0,
      canProcessInPlace: descriptor.flags & UInt32(BL_UNIT_CAN_PROCESS_IN_PLACE) != 0,
      providesOutput: descriptor.flags & UInt32(BL_UNIT_PROVIDES_OUTPUT) != 0,
      inputBusses: rows(descriptor.input_busses, descriptor.input_bus_count).map(BusInfo.init),
      maximumInputBusCount: Int(descriptor.maximum_input_bus_count),
      outputBusses: rows(descriptor.output_busses, descriptor.output_bus_count).map(BusInfo.init),
      channelCapabilities: rows(
        descriptor.channel_capabilities, descriptor.channel_capability_count
      ).map { ChannelCapability(input: Int($0.input), output: Int($0.output)) },
      parameters: rows(descriptor.parameters, descriptor.parameter_count).map(ParameterInfo.init),
      parameterGroupNames: Dictionary(
        rows(descriptor.parameter_groups, descriptor.parameter_group_count)
          .map { (text($0.key_path), text($0.name)) }
      ) { first, _ in first },
      properties: rows(descriptor.properties, descriptor.property_count).map(PropertyInfo.init),
      factoryPresets: rows(descriptor.factory_presets, descriptor.factory_preset_count)
        .map(FactoryPreset.init),
      telemetry: rows(descriptor.telemetry, descriptor.telemetry_count).map(TelemetryInfo.init))
  }
}

extension ComponentDescription {
  fileprivate init(_ codes: bl_component_description) {
    self.init(
      type: FourCharacterCode(rawValue: codes.type) ?? .any,
      subtype: FourCharacterCode(rawValue: codes.subtype) ?? .any,
      manufacturer: FourCharacterCode(rawValue: codes.manufacturer) ?? .any)
  }
}

extension BusInfo {
  fileprivate init(_ bus: bl_bus_info) {
    self.init(
      name: text(bus.name), defaultChannelCount: Int(bus.default_channel_count),
      isOptional: bus.flags & UInt32(BL_BUS_OPTIONAL) != 0)
  }
}

extension ParameterInfo {
  fileprivate init(_ info: bl_parameter_info) {
    self.init(
      identifier: text(info.identifier), group: info.group.map { String(cString: $0) },
      name: text(info.name), unit: ParameterUnit(rawValue: info.unit.rawValue) ?? .generic,
      minimum: info.minimum, maximum: info.maximum, defaultValue: info.default_value,
      curve: ParameterCurve(rawValue: info.curve.rawValue) ?? .linear,
      flags: ParameterFlags(rawValue: info.flags), valueStrings: texts(info.value_strings),
      unitName: info.unit_name.map { String(cString: $0) },
      dependentParameters: texts(info.dependent_parameters),
      overviewRank: info.overview_rank > 0 ? Int(info.overview_rank) : nil)
  }
}

extension PropertyInfo {
  fileprivate init(_ info: bl_property_info) {
    self.init(
      identifier: text(info.identifier), name: text(info.name),
      kind: Kind(rawValue: info.kind) ?? .text, isRequired: info.is_required != 0)
  }
}

extension TelemetryInfo {
  fileprivate init(_ info: bl_telemetry_info) {
    self.init(
      identifier: text(info.identifier), name: text(info.name),
      kind: Kind(rawValue: info.kind.rawValue) ?? .curve, capacity: Int(info.capacity))
  }
}

extension FactoryPreset {
  fileprivate init(_ preset: bl_factory_preset) {
    let pairs = (0..<preset.value_count).map { index in
      (preset.values[index].address, preset.values[index].value)
    }
    self.init(name: text(preset.name), values: Dictionary(pairs) { _, last in last })
  }
}

private func namesOfMIDIOutputs(_ descriptor: bl_unit_descriptor) -> [String] {
  guard descriptor.flags & UInt32(BL_UNIT_MIDI_OUTPUT) != 0 else { return [] }
  let names = texts(descriptor.midi_output_names)
  return names.isEmpty ? ["midi"] : names
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
  pointer.map { String(cString: $0) } ?? ""
}

/// Returns the strings of a null-terminated list.
private func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
  guard var next = list else { return [] }
  var found: [String] = []
  while let string = next.pointee {
    found.append(String(cString: string))
    next += 1
  }
  return found
}

private func rows<Row>(_ table: UnsafePointer<Row>?, _ count: UInt32) -> [Row] {
  Array(UnsafeBufferPointer(start: table, count: table == nil ? 0 : Int(count)))
}
