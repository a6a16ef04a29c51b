import RackModel
import UnitModel

/// A rack's graph, as text and for Graphviz; `Plan.svg` draws it.
enum RackDrawing {
  static func text(_ plan: Plan, catalogue: any UnitDirectory, latency: [String]) -> String {
    var lines = [plan.name, ""]
    lines += plan.inputs.map { "in   \($0.name)  \(channels($0.channelCount))\(autoConnect($0))" }
    lines += plan.midiInputs.map { "in   \($0.name)  MIDI\(autoConnect($0))" }
    lines += plan.outputs.map { "out  \($0.name)  \(channels($0.channelCount))\(autoConnect($0))" }
    lines += plan.midiOutputs.map { "out  \($0.name)  MIDI\(autoConnect($0))" }
    lines += latency
    let processes = RackProcesses(plan, catalogue: catalogue)
    lines += processes.settings
    for (index, unit) in plan.units.enumerated() {
      let facts = unit.facts
      let preset = unit.presetName.map { ", preset \($0)" } ?? ""
      lines += [
        "",
        "\(unit.name)  \(facts.name) \(unit.component), \(channels(unit))\(preset)"
          + (unit.isBypassed ? ", bypassed" : "") + (unit.spills ? ", spills" : "")
          + processes.text(of: index),
      ]
      for parameter in unit.parameters {
        let info = facts.parameter(at: parameter.address)?.info
        let value = info.map { Quantity.format(parameter.value, for: $0) } ?? "\(parameter.value)"
        lines.append("  \(parameter.keyPath): \(value)")
      }
      for property in unit.properties {
        lines.append("  \(facts.properties[property.index].identifier): \(property.value)")
      }
    }
    for unit in plan.missing { lines += ["", "\(unit.name)  MISSING, passes on: \(unit.reason)"] }
    lines +=
      [""]
      + plan.drawnCables.map { $0.kind == .midi ? "\($0.text)  (MIDI)" : $0.text }
    lines += RackControls(plan: plan).lines
    return lines.joined(separator: "\n")
  }

  static func dot(_ plan: Plan, catalogue: any UnitDirectory) -> String {
    var lines = ["digraph \(quoted(plan.name)) {", "  rankdir=LR;", "  node [shape=box];"]
    for port in plan.inputs + plan.midiInputs + plan.outputs + plan.midiOutputs {
      lines.append("  \(quoted(port.name)) [shape=oval];")
    }
    lines += RackProcesses(plan, catalogue: catalogue).clusters(quoted: quoted)
    for unit in plan.units {
      lines.append("  \(quoted(unit.name)) [label=\"\(escaped(unit.name))\\n\(unit.component)\"];")
    }
    for cable in plan.drawnCables {
      let style =
        switch cable.kind {
        case .audio: ""
        case .feedback: " [style=dashed, constraint=false]"
        case .midi: " [style=dotted, arrowhead=empty, label=MIDI]"
        }
      lines.append("  \(quoted(cable.from.node)) -> \(quoted(cable.to.node))\(style);")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private static func channels(_ count: Int) -> String {
    count == 1 ? "1 channel" : "\(count) channels"
  }

  private static func channels(_ unit: PlannedUnit) -> String {
    let inputs = unit.inputChannelCounts.map(\.description).joined(separator: "+")
    let outputs = unit.outputChannelCounts.map(\.description).joined(separator: "+")
    if inputs.isEmpty && outputs.isEmpty { return "MIDI" }
    return inputs.isEmpty ? "\(outputs) out" : "\(inputs) in, \(outputs) out"
  }

  private static func autoConnect(_ port: Port) -> String {
    let all = port.autoConnect.flatMap(\.self)
    return all.isEmpty ? "" : ", connects to \(all.joined(separator: ", "))"
  }

  private static func quoted(_ text: String) -> String {
    "\"\(escaped(text))\""
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
