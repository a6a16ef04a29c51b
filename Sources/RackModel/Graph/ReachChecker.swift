import Documents
import UnitModel

/// Warns of units that reach no output or have no input, and of unconnected ports.
struct ReachChecker {
  let rack: RackFile
  let ports: RackPorts
  let units: [ResolvedUnit]
  let connections: ConnectionResolver
  let controls: [PlannedControl]

  func check(diagnostics: inout DiagnosticCollector) {
    let sources = Set(connections.cables.map(\.source))
    let destinations = Set(connections.cables.map(\.destination))
    for (index, entry) in ports.inputs.enumerated() where !sources.contains(.port(index)) {
      diagnostics.warning(entry.position, "the input “\(entry.port.name)” is connected to nothing")
    }
    for (index, entry) in ports.outputs.enumerated() where !destinations.contains(.port(index)) {
      diagnostics.warning(entry.position, "nothing is connected to the output “\(entry.port.name)”")
    }
    for (index, entry) in ports.midiInputs.enumerated()
    where !connections.midiCables.contains(where: { $0.source == .port(index) })
      && !controls.contains(where: { $0.port == index })
    {
      diagnostics.warning(entry.position, "the input “\(entry.port.name)” is connected to nothing")
    }
    for (index, entry) in ports.midiOutputs.enumerated()
    where !connections.midiCables.contains(where: { $0.destination == .port(index) }) {
      diagnostics.warning(entry.position, "nothing is connected to the output “\(entry.port.name)”")
    }
    let hasOutputs = !ports.outputs.isEmpty || !ports.midiOutputs.isEmpty
    if !hasOutputs {
      diagnostics.warning(
        rack.name?.position ?? SourcePosition(line: 1, column: 1),
        "the rack has no outputs, so nothing of it is heard")
    }
    let heard = UnitGraph.heardUnits(
      cables: connections.cables, midiCables: connections.midiCables)
    for (index, unit) in units.enumerated() {
      if hasOutputs, !heard.contains(index) {
        diagnostics.warning(unit.position, "“\(unit.name)” reaches no output, so it is not heard")
      } else if let facts = unit.facts {
        checkProperties(of: unit, facts, diagnostics: &diagnostics)
        checkInputs(of: index, unit, facts, destinations, diagnostics: &diagnostics)
      }
    }
  }

  private func checkProperties(
    of unit: ResolvedUnit, _ facts: UnitFacts, diagnostics: inout DiagnosticCollector
  ) {
    for (index, property) in facts.properties.enumerated()
    where property.isRequired && !unit.properties.contains(where: { $0.index == index }) {
      diagnostics.warning(
        unit.position, "“\(unit.name)” is silent without the property “\(property.identifier)”")
    }
  }

  private func checkInputs(
    of index: Int, _ unit: ResolvedUnit, _ facts: UnitFacts, _ destinations: Set<Endpoint>,
    diagnostics: inout DiagnosticCollector
  ) {
    let isFed = (0..<unit.inputBusCount).contains { destinations.contains(.unit(index, bus: $0)) }
    if !isFed, facts.inputBusses.contains(where: { !$0.isOptional }) {
      diagnostics.warning(unit.position, "nothing is connected to “\(unit.name)”")
    }
    let isPlayed = connections.midiCables.contains { $0.destination.unit == index }
    let isForMIDI = [.instrument, .midiProcessor].contains(facts.component.type)
    if isForMIDI, facts.hasMIDIInput, !isPlayed {
      diagnostics.warning(unit.position, "no MIDI comes to “\(unit.name)”")
    }
  }
}
