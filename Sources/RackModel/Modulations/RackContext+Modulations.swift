import Documents
import UnitModel

extension PlannedModulation {
  /// The description of `depth` as a parameter, percent.
  package static let depthInfo = ParameterInfo(
    identifier: "depth", name: "Depth", unit: .percent, minimum: -100, maximum: 100,
    defaultValue: 0)
}

extension Plan {
  /// Returns the source of a modulation as in a rack file: "lfo", "pair channel 2".
  package func name(of modulation: PlannedModulation) -> String {
    let channel = modulation.sourceChannel > 1 ? " channel \(modulation.sourceChannel)" : ""
    switch modulation.source {
    case .port(let port): return inputs[port].name + channel
    case .unit(let unit, let bus):
      return units[unit].name + (bus > 0 ? ".\(bus + 1)" : "") + channel
    }
  }
}

extension RackContext {
  /// Checks a file's modulations; returns the correct ones, and reports errors to `diagnostics`.
  func modulations(
    _ entries: [Rack.Modulation]
  ) -> [(planned: PlannedModulation, position: SourcePosition)] {
    var modulations: [(planned: PlannedModulation, position: SourcePosition)] = []
    let maximum = PlannedModulation.maximumModulations
    if entries.count > maximum {
      diagnostics.error(
        entries[maximum].position,
        "a rack has at most \(maximum) modulations; this one has \(entries.count)")
      return []
    }
    for entry in entries {
      guard let planned = modulation(entry) else { continue }
      let isThere = modulations.contains { other in
        var same = other.planned
        (same.depth, same.isSquared, same.isLate) = (
          planned.depth, planned.isSquared, planned.isLate
        )
        return same == planned
      }
      if isThere {
        diagnostics.error(
          entry.position,
          "“\(entry.source?.value ?? "")” modulates “\(entry.target?.value ?? "")” already")
      } else {
        modulations.append((planned, entry.position))
      }
      let moved = Set(modulations.filter { $0.planned.unit == planned.unit }.map(\.planned.address))
      if moved.count > PlannedModulation.maximumParameters {
        diagnostics.error(
          entry.position,
          "a unit has at most \(PlannedModulation.maximumParameters) parameters that are modulated")
        return []
      }
    }
    return modulations
  }

  private func modulation(_ entry: Rack.Modulation) -> PlannedModulation? {
    let origin = entry.source.flatMap(source)
    let parameter = entry.target.flatMap(modulated)
    let depth = entry.depth.flatMap {
      value($0, for: PlannedModulation.depthInfo, name: "depth")
    }
    if let curve = entry.curve, curve.value == .logarithmic {
      diagnostics.error(
        curve.position, "a modulation goes through 0, so its curve is linear or square")
      return nil
    }
    guard let origin, let parameter, let depth else { return nil }
    return PlannedModulation(
      source: origin.source, sourceChannel: origin.channel, unit: parameter.unit,
      address: parameter.address, depth: depth,
      isSquared: entry.curve?.value == .squared, isLate: entry.isLate?.value ?? false)
  }

  private func source(_ text: Located<String>) -> (source: Endpoint, channel: Int)? {
    // A source may be written as for a control: “keys cc 1”.
    let isMIDIInput = ports.midiInputs.contains {
      (text.value + " ").hasPrefix($0.name.value + " ")
    }
    let end = isMIDIInput ? nil : ChainEnd(text, isFirst: true, isLast: false, context: self)
    guard let end, let source = end.source.audio else {
      if isMIDIInput || end?.source.midi != nil {
        diagnostics.error(
          text.position,
          "“\(text.value)” carries MIDI; MIDI moves parameters by “controls”, or as the sound of a "
            + "unit such as MIDI to Control")
      }
      return nil
    }
    if end.limits.notes != nil {
      diagnostics.error(text.position, "“\(text.value)”: sound has no notes")
      return nil
    }
    return (source, end.limits.channel ?? 1)
  }

  private func modulated(_ path: Located<String>) -> (unit: Int, address: UInt64)? {
    guard let (target, info) = target(path) else { return nil }
    guard case .parameter(let unit, let address) = target else {
      diagnostics.error(path.position, "a bypass is on or off, and not modulated")
      return nil
    }
    if info.isMomentary {
      diagnostics.error(path.position, "“\(path.value)” is a button, and not modulated")
      return nil
    }
    return (unit, address)
  }
}
