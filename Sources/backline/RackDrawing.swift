import RackModel
import UnitModel

/// A rack's graph, as text and for Graphviz.
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
      let facts = try? catalogue.facts(for: unit.reference).first
      let preset = unit.presetName.map { ", preset \($0)" } ?? ""
      lines += [
        "",
        "\(unit.name)  \(facts?.name ?? "") \(unit.component), \(channels(unit))\(preset)"
          + (unit.isBypassed ? ", bypassed" : "") + (unit.spills ? ", spills" : "")
          + processes.text(of: index),
      ]
      for parameter in unit.parameters {
        let info = facts?.parameter(at: parameter.address)?.info
        let value = info.map { Quantity.format(parameter.value, for: $0) } ?? "\(parameter.value)"
        lines.append("  \(parameter.keyPath): \(value)")
      }
      for property in unit.properties {
        lines.append("  \(facts?.properties[property.index].identifier ?? ""): \(property.value)")
      }
    }
    for unit in plan.missing { lines += ["", "\(unit.name)  MISSING, passes on: \(unit.reason)"] }
    lines +=
      [""]
      + cables(plan, catalogue).map {
        "\($0.from) \($0.isFeedback ? "~>" : "->") \($0.to)\($0.isMIDI ? "  (MIDI)" : "")"
      }
    lines += RackControls(plan: plan, catalogue: catalogue).lines
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
    for cable in cables(plan, catalogue) {
      let style =
        cable.isFeedback
        ? " [style=dashed, constraint=false]"
        : cable.isMIDI ? " [style=dotted, arrowhead=empty, label=MIDI]" : ""
      lines.append("  \(quoted(cable.fromNode)) -> \(quoted(cable.toNode))\(style);")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private struct Drawn {
    var fromNode: String, from: String, toNode: String, to: String
    var isFeedback = false
    var isMIDI = false
  }

  private static func cables(_ plan: Plan, _ catalogue: any UnitDirectory) -> [Drawn] {
    let audio = plan.cables.map { cable in
      let source = name(cable.source, plan.inputs, plan)
      let destination = name(cable.destination, plan.outputs, plan)
      return Drawn(
        fromNode: source.node, from: source.node, toNode: destination.node, to: destination.full,
        isFeedback: cable.isFeedback)
    }
    let midi = plan.midiCables.map { cable in
      let source = midiName(cable.source, plan.midiInputs, plan) { unit, number in
        let names = (try? catalogue.facts(for: unit.reference).first)?.midiOutputNames ?? []
        let hasSound = !unit.outputChannelCounts.isEmpty
        return names.indices.contains(number) && (hasSound || names.count > 1) ? names[number] : nil
      }
      let destination = midiName(cable.destination, plan.midiOutputs, plan) { _, number in
        number > 0 ? "midi\(number + 1)" : nil
      }
      return Drawn(
        fromNode: source.node, from: source.full, toNode: destination.node, to: destination.full,
        isMIDI: true)
    }
    return audio + midi
  }

  private static func name(
    _ endpoint: Endpoint, _ ports: [Port], _ plan: Plan
  ) -> (node: String, full: String) {
    switch endpoint {
    case .port(let port): (ports[port].name, ports[port].name)
    case .unit(let unit, let bus):
      (
        plan.units[unit].name,
        plan.units[unit].inputChannelCounts.count > 1
          ? "\(plan.units[unit].name).\(bus + 1)" : plan.units[unit].name
      )
    }
  }

  /// `cable` returns the name of a MIDI cable if the unit's name is not enough.
  private static func midiName(
    _ endpoint: Endpoint, _ ports: [Port], _ plan: Plan, cable: (PlannedUnit, Int) -> String?
  ) -> (node: String, full: String) {
    switch endpoint {
    case .port(let port): return (ports[port].name, ports[port].name)
    case .unit(let unit, let number):
      let name = plan.units[unit].name
      return (name, cable(plan.units[unit], number).map { "\(name).\($0)" } ?? name)
    }
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
