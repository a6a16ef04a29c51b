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
        "\($0.from.name) \($0.isFeedback ? "~>" : "->") \($0.to.name)\($0.isMIDI ? "  (MIDI)" : "")"
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
      lines.append("  \(quoted(cable.from.node)) -> \(quoted(cable.to.node))\(style);")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private struct Drawn {
    var from: End
    var to: End
    var isFeedback = false
    var isMIDI = false
  }

  /// The port or unit at an end of a cable, and its name with the bus where that is needed.
  private typealias End = (node: String, name: String)

  private static func cables(_ plan: Plan, _ catalogue: any UnitDirectory) -> [Drawn] {
    let audio = plan.cables.map { cable in
      Drawn(
        from: end(cable.source, plan.inputs, plan) { _, _ in nil },
        to: end(cable.destination, plan.outputs, plan) { unit, bus in
          unit.inputChannelCounts.count > 1 ? "\(bus + 1)" : nil
        }, isFeedback: cable.isFeedback)
    }
    let midi = plan.midiCables.map { cable in
      Drawn(
        from: end(cable.source, plan.midiInputs, plan) { unit, number in
          let names = (try? catalogue.facts(for: unit.reference).first)?.midiOutputNames ?? []
          let hasSound = !unit.outputChannelCounts.isEmpty
          return names.indices.contains(number) && (hasSound || names.count > 1)
            ? names[number] : nil
        },
        to: end(cable.destination, plan.midiOutputs, plan) { _, number in
          number > 0 ? "midi\(number + 1)" : nil
        }, isMIDI: true)
    }
    return audio + midi
  }

  /// `bus` returns the name of a bus or a MIDI cable where the unit's name is not enough.
  private static func end(
    _ endpoint: Endpoint, _ ports: [Port], _ plan: Plan, bus: (PlannedUnit, Int) -> String?
  ) -> End {
    switch endpoint {
    case .port(let port): return (ports[port].name, ports[port].name)
    case .unit(let index, let number):
      let unit = plan.units[index]
      return (unit.name, bus(unit, number).map { "\(unit.name).\($0)" } ?? unit.name)
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
