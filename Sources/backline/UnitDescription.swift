import UnitModel

/// A unit on a page.
enum UnitDescription {
  static func text(_ facts: UnitFacts, presets: [String]) -> String {
    var lines = [
      "\(facts.name)   \(facts.component)   \(facts.versionText)   by \(facts.manufacturerName)",
      facts.summary,
    ]
    if !facts.tags.isEmpty { lines.append("Tags: \(facts.tags.joined(separator: ", "))") }
    lines += ["", "Busses:"] + busses(facts)
    if !facts.properties.isEmpty {
      lines += ["", "Properties:"]
      lines += facts.properties.map {
        "  \($0.identifier)  \($0.name)\($0.isPath ? " (a path)" : "")"
      }
    }
    if !facts.parameters.isEmpty { lines += ["", "Parameters:"] + parameters(facts) }
    if !presets.isEmpty { lines += ["", "Presets:"] + presets.map { "  \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func busses(_ facts: UnitFacts) -> [String] {
    var lines = facts.inputBusses.map { bus in
      "  in   \(bus.name)\(bus.isOptional ? " (may stay unconnected)" : "")"
    }
    if facts.canAddInputBusses { lines.append("  in   ... up to \(facts.maximumInputBusCount)") }
    if facts.hasMIDIInput { lines.append("  in   MIDI") }
    return lines + facts.outputBusses.map { "  out  \($0.name)" }
  }

  private static func parameters(_ facts: UnitFacts) -> [String] {
    let rows = facts.parameters.map { info in
      let path = info.isPerInputBus ? "INPUT.\(info.keyPath)" : info.keyPath
      return (
        path, "\(Quantity.format(info.defaultValue, for: info))", range(info),
        info.name
      )
    }
    let widths = [
      rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0,
      rows.map(\.2.count).max() ?? 0,
    ]
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return rows.map { path, value, range, name in
      "  \(padded(path, widths[0]))  \(padded(value, widths[1]))  \(padded(range, widths[2]))  \(name)"
    }
  }

  private static func range(_ info: ParameterInfo) -> String {
    if !info.valueStrings.isEmpty { return info.valueStrings.joined(separator: " | ") }
    if info.unit == .boolean { return "on | off" }
    return
      "\(Quantity.format(info.minimum, for: info)) ... \(Quantity.format(info.maximum, for: info))"
  }
}
