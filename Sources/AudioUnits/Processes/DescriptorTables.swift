import CUnit
import UnitModel

/// Lays values down as the unit ABI's tables, in memory that is never given back: descriptors last as
/// long as the program (unit.h).
enum DescriptorTables {
  /// Everything but the functions.
  static func make(_ facts: UnitFacts) -> UnsafeMutablePointer<bl_unit_descriptor> {
    var unit = bl_unit_descriptor()
    unit.abi_version = UInt32(BL_ABI_VERSION)
    unit.component = bl_component_description(
      type: facts.component.type.rawValue, subtype: facts.component.subtype.rawValue,
      manufacturer: facts.component.manufacturer.rawValue)
    unit.version = facts.version
    unit.name = text(facts.name)
    unit.manufacturer_name = text(facts.manufacturerName)
    unit.summary = text(facts.summary)
    unit.tags = texts(facts.tags)
    unit.flags = flags(facts)
    (unit.input_busses, unit.input_bus_count) = rows(facts.inputBusses.map(bus))
    unit.maximum_input_bus_count = UInt32(facts.maximumInputBusCount)
    (unit.output_busses, unit.output_bus_count) = rows(facts.outputBusses.map(bus))
    (unit.channel_capabilities, unit.channel_capability_count) = rows(
      facts.channelCapabilities.map {
        bl_channel_capability(input: Int16($0.input), output: Int16($0.output))
      })
    unit.virtual_midi_cable_count = UInt32(facts.virtualMIDICableCount)
    unit.midi_output_names = facts.midiOutputNames.isEmpty ? nil : texts(facts.midiOutputNames)
    (unit.parameters, unit.parameter_count) = rows(facts.parameters.map(parameter))
    (unit.parameter_groups, unit.parameter_group_count) = rows(
      facts.parameterGroupNames.sorted { $0.key < $1.key }.map {
        bl_parameter_group_info(key_path: text($0.key), name: text($0.value))
      })
    (unit.properties, unit.property_count) = rows(facts.properties.map(property))
    (unit.factory_presets, unit.factory_preset_count) = rows(facts.factoryPresets.map(preset))
    // A unit is fed by what a property names, if by anything.
    if !facts.properties.isEmpty { unit.wait_until_ready = { _, _ in } }
    let place = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    place.initialize(to: unit)
    return place
  }

  private static func flags(_ facts: UnitFacts) -> UInt32 {
    var flags: UInt32 = 0
    if facts.hasMIDIInput { flags |= UInt32(BL_UNIT_MIDI_INPUT) }
    if !facts.midiOutputNames.isEmpty { flags |= UInt32(BL_UNIT_MIDI_OUTPUT) }
    if facts.supportsMPE { flags |= UInt32(BL_UNIT_SUPPORTS_MPE) }
    return flags
  }

  private static func bus(_ info: BusInfo) -> bl_bus_info {
    bl_bus_info(
      name: text(info.name), default_channel_count: UInt32(info.defaultChannelCount),
      flags: info.isOptional ? UInt32(BL_BUS_OPTIONAL) : 0)
  }

  private static func parameter(_ info: ParameterInfo) -> bl_parameter_info {
    bl_parameter_info(
      identifier: text(info.identifier), group: info.group.map(text), name: text(info.name),
      unit: bl_parameter_unit(rawValue: info.unit.rawValue), minimum: info.minimum,
      maximum: info.maximum, default_value: info.defaultValue,
      curve: bl_parameter_curve(rawValue: info.curve.rawValue), flags: info.flags.rawValue,
      value_strings: info.valueStrings.isEmpty ? nil : texts(info.valueStrings),
      unit_name: info.unitName.map(text),
      dependent_parameters: info.dependentParameters.isEmpty
        ? nil : texts(info.dependentParameters),
      overview_rank: UInt32(info.overviewRank ?? 0))
  }

  private static func property(_ info: PropertyInfo) -> bl_property_info {
    bl_property_info(
      identifier: text(info.identifier), name: text(info.name), is_path: info.isPath ? 1 : 0,
      is_required: info.isRequired ? 1 : 0)
  }

  private static func preset(_ preset: FactoryPreset) -> bl_factory_preset {
    let values = preset.values.sorted { $0.key < $1.key }.map {
      bl_preset_value(address: $0.key, value: $0.value)
    }
    let (table, count) = rows(values)
    return bl_factory_preset(name: text(preset.name), values: table, value_count: Int(count))
  }

  private static func text(_ string: String) -> UnsafePointer<CChar> {
    let bytes = string.utf8CString
    let place = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = place.initialize(from: bytes)
    return UnsafePointer(place.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  /// Ended by a null pointer.
  private static func texts(_ strings: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    let place = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      (place + index).initialize(to: text(string))
    }
    (place + strings.count).initialize(to: nil)
    return UnsafePointer(place)
  }

  private static func rows<Row>(_ rows: [Row]) -> (UnsafePointer<Row>?, UInt32) {
    guard !rows.isEmpty else { return (nil, 0) }
    let place = UnsafeMutablePointer<Row>.allocate(capacity: rows.count)
    for (index, row) in rows.enumerated() { (place + index).initialize(to: row) }
    return (UnsafePointer(place), UInt32(rows.count))
  }
}
