import CUnits

/// A built-in unit, as an argument of tests.
package struct BuiltInUnit: Sendable, CustomStringConvertible {
  /// The unit's index in the table of built-in units.
  private let index: Int

  package static let all: [BuiltInUnit] =
    (0..<Int(bl_built_in_units().pointee.unit_count)).map(BuiltInUnit.init(index:))

  private init(index: Int) { self.index = index }

  /// Finds the unit with a component description; `aufx/gain/bkln`.
  package init(_ description: String) {
    guard let unit = Self.all.first(where: { $0.description == description }) else {
      fatalError("no unit \(description)")
    }
    self = unit
  }

  package var descriptor: UnsafePointer<bl_unit_descriptor> {
    bl_built_in_units().pointee.units[index]!
  }

  package var facts: bl_unit_descriptor { descriptor.pointee }

  package var parameters: [bl_parameter_info] {
    (0..<Int(facts.parameter_count)).map { facts.parameters[$0] }
  }

  package var inputBusses: [bl_bus_info] {
    (0..<Int(facts.input_bus_count)).map { facts.input_busses[$0] }
  }

  package var outputBusses: [bl_bus_info] {
    (0..<Int(facts.output_bus_count)).map { facts.output_busses[$0] }
  }

  package var factoryPresets: [bl_factory_preset] {
    (0..<Int(facts.factory_preset_count)).map { facts.factory_presets[$0] }
  }

  package func has(_ flag: Int) -> Bool { facts.flags & UInt32(flag) != 0 }

  /// The component description; `aufx/gain/bkln`.
  package var description: String {
    let component = facts.component
    return [component.type, component.subtype, component.manufacturer].map { code in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
      return String(decoding: bytes, as: UTF8.self)
    }.joined(separator: "/")
  }
}
