import UnitModel

/// A unit with its parameters, presets and busses as text.
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
    if !facts.parameters.isEmpty {
      lines += ["", "Parameters (start with those that have a number):"]
      lines += parameters(facts)
    }
    if !presets.isEmpty { lines += ["", "Presets:"] + presets.map { "  \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func busses(_ facts: UnitFacts) -> [String] {
    var lines = facts.inputBusses.map { bus in
      "  in   \(bus.name)\(bus.isOptional ? " (may stay unconnected)" : "")"
    }
    if facts.canAddInputBusses { lines.append("  in   ... up to \(facts.maximumInputBusCount)") }
    if facts.hasMIDIInput {
      let count = facts.virtualMIDICableCount
      lines.append("  in   midi (MIDI)\(count > 1 ? " ... midi\(count)" : "")")
    }
    return lines + facts.outputBusses.map { "  out  \($0.name)" }
      + facts.midiOutputNames.map { "  out  \($0) (MIDI)" }
  }

  /// Returns a row for each parameter, grouped under the names of groups. The parameters of a small view have its
  /// order number in front.
  private static func parameters(_ facts: UnitFacts) -> [String] {
    let rows = facts.parameters.map { info in
      [
        info.overviewRank.map(String.init) ?? "",
        info.isPerInputBus ? "INPUT.\(info.keyPath)" : info.keyPath,
        Quantity.format(info.defaultValue, for: info), range(info), info.name,
      ]
    }
    let lines = Table.lines(rows).map { "  \($0)" }
    var groups: [String?] = []
    for group in facts.parameters.map(\.group) where !groups.contains(group) {
      groups.append(group)
    }
    // Parameters without a group come first.
    groups = groups.filter { $0 == nil } + groups.filter { $0 != nil }
    return groups.flatMap { group in
      let heading = group.map { ["  \(facts.parameterGroupNames[$0] ?? $0):"] } ?? []
      return heading + zip(facts.parameters, lines).filter { $0.0.group == group }.map(\.1)
    }
  }

  private static func range(_ info: ParameterInfo) -> String {
    if !info.valueStrings.isEmpty { return info.valueStrings.joined(separator: " | ") }
    if info.unit == .boolean { return "on | off" }
    return
      "\(Quantity.format(info.minimum, for: info)) ... \(Quantity.format(info.maximum, for: info))"
  }
}
