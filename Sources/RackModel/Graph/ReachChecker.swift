import Documents
import UnitModel

/// Warns of units that reach no output or have no input, and of unconnected ports.
struct ReachChecker {
  let connections: ConnectionResolver
  /// The modulations, as cables.
  let modulating: [Cable]
  let controls: [PlannedControl]

  private var diagnostics: DiagnosticCollector { connections.context.diagnostics }

  func check(_ rack: Rack) {
    let ports = connections.context.ports
    let sources = Set((connections.cables + modulating).map(\.source))
    let destinations = Set(connections.cables.map(\.destination))
    let midiSources = Set(connections.midiCables.map(\.source))
    let midiDestinations = Set(connections.midiCables.map(\.destination))
    let controlPorts = Set(controls.map { Endpoint.port($0.port) })
    warn(ofInputs: ports.inputs, notIn: sources)
    warn(ofOutputs: ports.outputs, notIn: destinations)
    warn(ofInputs: ports.midiInputs, notIn: midiSources.union(controlPorts))
    warn(ofOutputs: ports.midiOutputs, notIn: midiDestinations)
    let hasOutputs = !ports.outputs.isEmpty || !ports.midiOutputs.isEmpty
    if !hasOutputs {
      diagnostics.warning(
        rack.name?.position ?? SourcePosition(line: 1, column: 1),
        "the rack has no outputs, so it is silent")
    }
    let heard = UnitGraph.audibleUnits(
      cables: connections.cables + modulating, midiCables: connections.midiCables)
    for (index, unit) in connections.context.units.enumerated() {
      if hasOutputs, !heard.contains(index) {
        diagnostics.warning(unit.position, "“\(unit.name)” reaches no output, so it is silent")
      } else if let facts = unit.facts {
        checkProperties(of: unit, facts)
        checkInputs(of: index, unit, facts, destinations)
      }
    }
  }

  private func warn(ofInputs ports: [RackPorts.Entry], notIn connected: Set<Endpoint>) {
    for (index, entry) in ports.enumerated() where !connected.contains(.port(index)) {
      diagnostics.warning(
        entry.name.position, "the input “\(entry.port.name)” is connected to nothing")
    }
  }

  private func warn(ofOutputs ports: [RackPorts.Entry], notIn connected: Set<Endpoint>) {
    for (index, entry) in ports.enumerated() where !connected.contains(.port(index)) {
      diagnostics.warning(
        entry.name.position, "nothing is connected to the output “\(entry.port.name)”")
    }
  }

  private func checkProperties(of unit: ResolvedUnit, _ facts: UnitFacts) {
    for (index, property) in facts.properties.enumerated()
    where property.isRequired && !unit.properties.contains(where: { $0.index == index })
      && !unit.entry.properties.contains(where: { $0.key.value == property.identifier })
    {
      diagnostics.warning(
        unit.position, "“\(unit.name)” is silent without the property “\(property.identifier)”")
    }
  }

  private func checkInputs(
    of index: Int, _ unit: ResolvedUnit, _ facts: UnitFacts, _ destinations: Set<Endpoint>
  ) {
    let isFed = (0..<unit.inputBusCount).contains { destinations.contains(.unit(index, bus: $0)) }
    if !isFed, facts.inputBusses.contains(where: { !$0.isOptional }) {
      diagnostics.warning(unit.position, "nothing is connected to “\(unit.name)”")
    }
    let isPlayed = connections.midiCables.contains { $0.destination.unit == index }
    let isForMIDI =
      [.instrument, .midiProcessor].contains(facts.component.type) || facts.tags.contains("MIDI")
    if isForMIDI, facts.hasMIDIInput, !facts.isMIDIOptional, !isPlayed {
      diagnostics.warning(unit.position, "no MIDI comes to “\(unit.name)”")
    }
  }
}
