import CKernel
import RackEngine
import RackModel
import UnitModel

/// The plug-in as the bundle's library reads it: a line for each fact.
extension PlugIn {
  /// - Parameters:
  ///   - libraries: the file of each unit's code in the bundle; nil for a built-in unit.
  ///   - files: the files in the bundle of paths from the root.
  func lines(libraries: [String?], files: [String: String]) -> [String] {
    var lines = ["plug-in \(uri)", "block \(block)", "tempo \(plan.tempo)"]
    lines += plan.inputs.map { "input \($0.channelCount)" }
    lines += plan.outputs.map { "output \($0.channelCount)" }
    lines.append("midi_inputs \(plan.midiInputs.count)")
    for (place, unit) in plan.units.enumerated() {
      lines += unitLines(unit, facts[place], library: libraries[place], files: files)
    }
    lines += plan.withGraphDescription(Self.graphLines)
    for scene in plan.scenes { lines += Self.sceneLines(scene) }
    lines += ports.map { "port \($0.use.word)" }
    lines += state.map { "state \($0.unit) \($0.index) \($0.key)" }
    return lines
  }

  /// Frames of the longest cycle, and the delay of feedback cables. Not the host's: a plug-in sounds
  /// the same in every host.
  private var block: Int { plan.hasFeedback ? 512 : 1024 }

  private func unitLines(
    _ unit: PlannedUnit, _ facts: UnitFacts, library: String?, files: [String: String]
  ) -> [String] {
    var lines = ["unit \(unit.component)" + (library.map { " \($0)" } ?? "")]
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
          + " \(control.picks_up ? 1 : 0) \(control.scene) \(control.node) \(control.address)"
          + " \(control.from) \(control.to) \(control.curve.rawValue)"
      }
  }

  private static func sceneLines(_ scene: PlannedScene) -> [String] {
    ["scene \(scene.time)"]
      + scene.values.map { value in
        switch value.target {
        case .parameter(let unit, let address): "scene_value \(unit) \(address) \(value.value)"
        case .bypass(let unit): "scene_value \(unit) \(UInt64.max) \(value.value)"
        }
      }
  }
}

extension String {
  /// With `\n` for line breaks, and `\\` for `\`.
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

extension PlugIn.Port.Use {
  /// As the library knows it.
  fileprivate var word: String {
    switch self {
    case .audioInput: "audio_input"
    case .audioOutput: "audio_output"
    case .eventInput: "event_input"
    case .eventOutput: "event_output"
    case .enabled: "enabled"
    case .freewheeling: "freewheeling"
    case .latency: "latency"
    case .bypass(let unit, _): "bypass \(unit)"
    case .parameter(let unit, let parameter, _):
      if parameter.info.isMomentary {
        "button \(unit) \(parameter.address)"
      } else if parameter.info.flags.contains(.writable) {
        "parameter \(unit) \(parameter.address)"
      } else {
        "meter \(unit) \(parameter.address)"
      }
    }
  }
}
