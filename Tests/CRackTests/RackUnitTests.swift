import BacklineTestSupport
import CRack
import CUnit
import Testing

/// A rack plays as a unit, made from the lines of its plan.
@Suite struct RackUnitTests {
  private var gain: UnsafePointer<bl_unit_descriptor> { BuiltInUnit("aufx/gain/bkln").descriptor }

  /// A chain of two gains, -6 and -12 dB. The second unit's gain is exposed; a scene sets it to 0
  /// dB.
  private static let lines = [
    "name Pair", "block 512", "tempo 120", "input 1 in", "output 1 out",
    "unit aufx/gain/bkln first", "in 1", "out 1", "value 0 -6",
    "unit aufx/gain/bkln second", "in 1", "out 1", "value 0 -12",
    "cable rack 0 0 0 0 0 0", "cable 0 0 1 0 0 0 0", "cable 1 0 rack 0 0 0 0",
    "scene 0 Loud", "scene_value 1 0 0", "expose 1 0",
  ]

  private func descriptor(_ lines: [String]) -> UnsafePointer<bl_unit_descriptor>? {
    let units: [UnsafePointer<bl_unit_descriptor>?] = [gain, gain]
    return lines.joined(separator: "\n").withCString { text in
      units.withUnsafeBufferPointer { units in
        var source = bl_rack_source(
          component: bl_component_description(
            type: gain.pointee.component.type, subtype: 0x7061_6972, manufacturer: 0x7465_7374),
          lines: text, units: units.baseAddress)
        return bl_rack_describe(&source)
      }
    }
  }

  @Test func describesItsPortsAndWhatItExposes() throws {
    let rack = try #require(descriptor(Self.lines)).pointee
    #expect(String(cString: rack.name) == "Pair")
    #expect((rack.input_bus_count, rack.output_bus_count) == (1, 1))
    #expect(String(cString: rack.input_busses[0].name) == "in")
    #expect(rack.parameter_count == 1 && rack.factory_preset_count == 1)
    #expect(String(cString: rack.parameters[0].group) == "second")
    #expect(rack.parameters[0].default_value == -12)
    #expect(String(cString: rack.factory_presets[0].name) == "Loud")
  }

  @Test(arguments: [[512], [1, 100], [4096]]) func playsItsUnits(blocks: [Int]) throws {
    let rack = try #require(descriptor(Self.lines))
    let host = try UnitHost(rack, inputChannels: [1], outputChannels: [1])
    let ones = Signals.constant(1, frames: 10_000)
    let heard = host.render(
      inputs: [[ones]], frames: 10_000, blockSizes: blocks,
      events: [.parameter(0, 0, at: 5000)])[0]
    #expect(abs(heard[4000] - 0.12589) < 1e-4)
    #expect(abs(heard[9999] - 0.50119) < 1e-4)
  }

  @Test(arguments: [
    "block", "block many", "unit", "cable rack 0 0", "cable 0 x 1 0 0 0 0",
    "expose 7 0", "whatever 1", "value 0 loud", "scene",
  ]) func aLineThatIsWrongMakesNoUnit(line: String) {
    for index in [0, 3, Self.lines.count] {
      var lines = Self.lines
      lines.insert(line, at: index)
      #expect(descriptor(lines) == nil, "\(line) in line \(index)")
    }
    #expect(descriptor(["scene_value 0 0 0"]) == nil)
  }
}
