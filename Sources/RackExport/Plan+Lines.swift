import CKernel
import RackLowering
import RackModel
import UnitModel

/// The plan in a bundle (`bl_read_plan_line`): a line for each fact.
extension Plan {
  /// Returns the lines of the plan.
  ///
  /// - Parameters:
  ///   - facts: the facts of each unit.
  ///   - libraries: the file of each unit's code in the plan's folder; nil for a unit without one.
  ///   - files: the paths in the plan's folder, by absolute path.
  func lines(
    facts: [UnitFacts], libraries: [String?], files: [String: String]
  ) -> [String] {
    var lines = ["block 1024", "tempo \(tempo)"]
    lines += inputs.map { "input \($0.channelCount) \($0.name)" }
    lines += outputs.map { "output \($0.channelCount) \($0.name)" }
    lines += midiInputs.map { "midi_input \($0.name)" }
    lines += midiOutputs.map { "midi_output \($0.name)" }
    for (index, unit) in units.enumerated() {
      lines += unitLines(unit, facts[index], library: libraries[index], files: files)
    }
    let arrays = CArrays()
    lines += withExtendedLifetime(arrays) { Self.graphLines(graphDescription(arrays)) }
    for scene in scenes { lines += Self.sceneLines(scene) }
    return lines
  }

  private func unitLines(
    _ unit: PlannedUnit, _ facts: UnitFacts, library: String?, files: [String: String]
  ) -> [String] {
    var lines = ["unit \(unit.component.codeText) \(unit.name)"]
    if let library { lines.append("library \(library)") }
    lines += unit.inputChannelCounts.map { "in \($0)" }
    lines += unit.outputChannelCounts.map { "out \($0)" }
    lines += unit.parameters.map { "value \($0.address) \($0.value)" }
    for property in unit.properties {
      if let file = files[property.value], facts.properties[property.index].isPath {
        lines.append("file \(property.index) \(file.onOneLine)")
      } else {
        lines.append("text \(property.index) \(property.value.onOneLine)")
      }
    }
    if unit.isBypassed { lines.append("bypassed") }
    if unit.spills { lines.append("spills") }
    return lines
  }

  private static func graphLines(_ graph: bl_graph_description) -> [String] {
    func all<Element>(_ first: UnsafePointer<Element>?, _ count: UInt32) -> [Element] {
      Array(UnsafeBufferPointer(start: first, count: Int(count)))
    }
    return all(graph.cables, graph.cable_count).map { cable in
      "cable \(cable.source.text) \(cable.destination.text) \(cable.flags)"
        + " \(cable.source_channel) \(cable.destination_channel)"
    }
      + all(graph.midi_cables, graph.midi_cable_count).map { cable in
        "midi_cable \(cable.source.text) \(cable.destination.text) \(cable.channels)"
          + " \(cable.lowest_note) \(cable.note_count)"
      }
      + all(graph.modulations, graph.modulation_count).map { modulation in
        let source = bl_endpoint(node: modulation.source_node, bus: modulation.source_bus)
        return "modulation \(source.text) \(modulation.source_channel) \(modulation.node)"
          + " \(modulation.address) \(modulation.depth) \(modulation.is_squared ? 1 : 0)"
          + " \(modulation.is_late ? 1 : 0)"
      }
      + all(graph.controls, graph.control_count).map { control in
        "control \(control.port) \(control.source.rawValue) \(control.number) \(control.channels)"
          + " \(control.bank_coarse) \(control.bank_fine) \(control.mode.rawValue)"
          + " \(control.picks_up ? 1 : 0) \(control.latches ? 1 : 0) \(control.scene) \(control.node) \(control.address)"
          + " \(control.from) \(control.to) \(control.curve.rawValue)"
      }
  }

  private static func sceneLines(_ scene: PlannedScene) -> [String] {
    ["scene \(scene.time) \(scene.name)"]
      + scene.values.map { value in
        "scene_value \(value.target.unit) \(value.target.address) \(value.value)"
      }
  }
}

extension String {
  /// The text with `\n` for line breaks, and `\\` for `\`.
  fileprivate var onOneLine: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\\": "\\\\"
      default: String(scalar)
      }
    }.joined()
  }
}

extension bl_endpoint {
  fileprivate var text: String { "\(node == UInt32.max ? "rack" : "\(node)") \(bus)" }
}
