import AsyncSupport
import CUnit
import CUnitService
import UnitModel

/// Descriptors of units that run in other processes: the functions are a link's, the tables are
/// those that the kernel and the link read.
///
/// Descriptors last as long as the program (unit.h): there is one for each unit of each state of a
/// library.
enum RemoteDescriptor {
  private struct Key: Hashable {
    var component: ComponentDescription
    var library: FileStamp?
  }

  private static let made = Guarded<[Key: UnitDescriptor]>([:])

  /// Returns the descriptor of a library's unit; `library` is nil for a unit that comes with
  /// Backline.
  static func of(_ facts: UnitFacts, library: FileStamp? = nil) -> UnitDescriptor {
    let key = Key(component: facts.component, library: library)
    return made.withLock { made in
      if let known = made[key] { return known }
      let descriptor = UnitDescriptor(pointer: make(facts))
      made[key] = descriptor
      return descriptor
    }
  }

  private static func make(_ facts: UnitFacts) -> UnsafePointer<bl_unit_descriptor> {
    var unit = bl_unit_descriptor()
    unit.abi_version = UInt32(BL_ABI_VERSION)
    unit.size = UInt32(MemoryLayout<bl_unit_descriptor>.size)
    unit.component = bl_component_description(
      type: facts.component.type.rawValue, subtype: facts.component.subtype.rawValue,
      manufacturer: facts.component.manufacturer.rawValue)
    unit.version = facts.version
    unit.name = lasting(facts.name.utf8CString)
    if facts.hasMIDIInput { unit.flags |= UInt32(BL_UNIT_MIDI_INPUT) }
    if facts.followsExpressions { unit.flags |= UInt32(BL_UNIT_NOTE_EXPRESSIONS) }
    if !facts.midiOutputNames.isEmpty { unit.flags |= UInt32(BL_UNIT_MIDI_OUTPUT) }
    unit.input_bus_count = UInt32(facts.inputBusses.count)
    unit.maximum_input_bus_count = UInt32(facts.maximumInputBusCount)
    unit.output_bus_count = UInt32(facts.outputBusses.count)
    unit.virtual_midi_cable_count = UInt32(facts.virtualMIDICableCount)
    let names = facts.midiOutputNames.map { Optional(lasting($0.utf8CString)) }
    unit.midi_output_names = names.isEmpty ? nil : lasting(names + [nil])
    unit.parameter_count = UInt32(facts.parameters.count)
    unit.parameters = lasting(
      facts.parameters.map { info in
        var row = bl_parameter_info()
        row.unit = bl_parameter_unit(rawValue: info.unit.rawValue)
        (row.minimum, row.maximum) = (info.minimum, info.maximum)
        row.default_value = info.defaultValue
        row.flags = info.flags.rawValue
        return row
      })
    unit.property_count = UInt32(facts.properties.count)
    unit.properties = lasting(
      facts.properties.map { info in
        var row = bl_property_info()
        row.kind = info.kind.rawValue
        return row
      })
    unit.telemetry_count = UInt32(facts.telemetry.count)
    unit.telemetry = lasting(
      facts.telemetry.map { info in
        var row = bl_telemetry_info()
        row.capacity = UInt32(info.capacity)
        return row
      })
    // Only a unit that reads a file can make the host wait.
    if !facts.properties.isEmpty { unit.wait_until_ready = { _, _ in } }
    if facts.allParameters().contains(where: { $0.info.flags.contains(.hasText) }) {
      unit.value_text = { _, _, _, _, _ in }
    }
    if facts.namesNotes { unit.note_name = { _, _, _, _, _ in } }
    bl_service_describe(&unit)
    return lasting([unit])
  }

  /// Returns a copy that is never freed.
  private static func lasting<Row>(_ rows: some Collection<Row>) -> UnsafePointer<Row> {
    let copy = UnsafeMutablePointer<Row>.allocate(capacity: max(rows.count, 1))
    _ = UnsafeMutableBufferPointer(start: copy, count: rows.count).initialize(from: rows)
    return UnsafePointer(copy)
  }
}
