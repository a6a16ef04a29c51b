import RackModel
import UnitModel

extension PlugIn {
  /// Adds the ports of the plan, and those of the target parameters and bypasses, in their order.
  mutating func addPorts(for targets: [ControlTarget]) {
    // The targets are first, so that their symbols do not depend on the names of other ports.
    for target in targets { add(target) }
    for (index, port) in plan.inputs.enumerated() {
      for (channel, name) in port.channelNames.enumerated() {
        add(name, port.title(channel), .audioInput(index, channel: channel), group: port.symbol)
      }
    }
    for (index, port) in plan.outputs.enumerated() {
      for (channel, name) in port.channelNames.enumerated() {
        add(name, port.title(channel), .audioOutput(index, channel: channel), group: port.symbol)
      }
    }
    for (index, port) in plan.midiInputs.enumerated() {
      add(port.name, port.name, .eventInput(hasMIDI: true, hasTime: index == 0))
    }
    if plan.midiInputs.isEmpty {
      add("time", "Time", .eventInput(hasMIDI: false, hasTime: true))
    }
    for port in plan.midiOutputs { add(port.name, port.name, .eventOutput) }
    if !plan.inputs.isEmpty && !plan.outputs.isEmpty { add("enabled", "Enabled", .enabled) }
    add("latency", "Latency", .latency)
    // Units' files are read on other threads, for which only a freewheeling plug-in waits.
    if facts.contains(where: { $0.properties.contains(where: \.isPath) }) {
      add("freewheeling", "Freewheeling", .freewheeling)
    }
  }

  private mutating func add(_ target: ControlTarget) {
    let isAlone = plan.units.count == 1
    switch target {
    case .bypass(let unit):
      let planned = plan.units[unit]
      let group = addGroup(planned.name, planned.name)
      add(
        "\(planned.name)_bypass", "\(planned.name) bypass",
        .bypass(unit: unit, initial: planned.isBypassed), group: group)
    case .parameter(let unit, let address):
      guard let parameter = facts[unit].parameter(at: address) else { return }
      let planned = plan.units[unit]
      let initial =
        planned.parameters.first { $0.address == address }?.value ?? parameter.info.defaultValue
      let use = Port.Use.parameter(unit: unit, parameter, initial: initial)
      guard isAlone else {
        let group = addGroup(planned.name, planned.name)
        let name = parameter.info.name
        add("\(planned.name)_\(parameter.keyPath)", "\(planned.name) \(name)", use, group: group)
        return
      }
      let parts = parameter.keyPath.split(separator: ".").dropLast().joined(separator: ".")
      let group =
        parts.isEmpty ? nil : addGroup(parts, facts[unit].parameterGroupNames[parts] ?? parts)
      let prefix = group.map { $0.first == "_" ? "\(parts) " : "" } ?? ""
      add(parameter.keyPath, prefix + parameter.info.name, use, group: group)
    }
  }

  private mutating func addGroup(_ path: String, _ name: String) -> String {
    let symbol = path.asSymbol
    if !groups.contains(where: { $0.symbol == symbol }) {
      groups.append(Group(symbol: symbol, name: name))
    }
    return symbol
  }

  private mutating func add(
    _ name: String, _ title: String, _ use: Port.Use, group: String? = nil
  ) {
    var symbol = name.asSymbol
    while ports.contains(where: { $0.symbol == symbol }) { symbol += "_" }
    ports.append(Port(symbol: symbol, name: title, use: use, group: group))
  }
}

extension RackModel.Port {
  var symbol: String { name.asSymbol }

  fileprivate func title(_ channel: Int) -> String {
    switch channelCount {
    case 1: name
    case 2: "\(name) \(channel == 0 ? "left" : "right")"
    default: "\(name) \(channel + 1)"
    }
  }
}

extension String {
  /// The text as a C identifier.
  var asSymbol: String {
    let scalars = unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "_"
    }
    let text = String(scalars)
    return text.first.map { $0.isNumber } ?? true ? "_\(text)" : text
  }
}
