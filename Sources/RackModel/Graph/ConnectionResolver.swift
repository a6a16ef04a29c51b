import Documents
import UnitModel

/// Turns chains of names into cables between ports and busses.
struct ConnectionResolver {
  let names: RackNames
  let ports: RackPorts
  let units: [ResolvedUnit]

  private(set) var cables: [Cable] = []
  private(set) var midiCables: [MIDICable] = []
  /// Units that lack a cable because its other end could not be resolved.
  private(set) var incompleteUnits: Set<Int> = []
  private var firstPositions: [[Endpoint]: SourcePosition] = [:]

  init(names: RackNames, ports: RackPorts, units: [ResolvedUnit]) {
    self.names = names
    self.ports = ports
    self.units = units
  }

  mutating func resolve(_ chains: [ConnectionEntry], diagnostics: inout DiagnosticCollector) {
    for chain in chains { resolve(chain, diagnostics: &diagnostics) }
  }

  private mutating func resolve(
    _ chain: ConnectionEntry, diagnostics: inout DiagnosticCollector
  ) {
    let last = chain.endpoints.count - 1
    let ends = chain.endpoints.enumerated().map { index, text in
      ChainEnd(
        text, isFirst: index == 0, isLast: index == last, context: self, diagnostics: &diagnostics)
    }
    for (index, arrow) in chain.arrows.enumerated() {
      connect(ends[index], ends[index + 1], by: arrow, diagnostics: &diagnostics)
    }
  }

  private mutating func connect(
    _ from: ChainEnd, _ to: ChainEnd, by arrow: Located<Arrow>,
    diagnostics: inout DiagnosticCollector
  ) {
    guard let source = from.source else {
      if case .unit(let unit, _) = to.destination { incompleteUnits.insert(unit) }
      return
    }
    if case .midiInput(let port) = source {
      connectMIDI(port, from, to, by: arrow, diagnostics: &diagnostics)
      return
    }
    guard let destination = to.destination else {
      if case .unit(let unit) = to.owner { incompleteUnits.insert(unit) }
      if case .unitWithoutAudioInput(let facts) = to.refusal {
        let advice = facts.hasMIDIInput ? "; it is played by a MIDI input" : ""
        diagnostics.error(
          to.text.position, "“\(to.name)” (\(facts.component)) has no audio input\(advice)")
      }
      return
    }
    guard case .audio(let start) = source else { return }
    let isFeedback = arrow.value == .feedback
    if isFeedback, !start.isUnit || !destination.isUnit {
      diagnostics.error(arrow.position, "only a cable from unit to unit can feed back (~>)")
      return
    }
    if let first = firstPositions[[start, destination]] {
      diagnostics.warning(
        arrow.position,
        "“\(from.text.value)” is connected to “\(to.text.value)” on line "
          + "\(first.line) already; one cable is made")
      return
    }
    firstPositions[[start, destination]] = arrow.position
    cables.append(
      Cable(
        source: start, destination: destination, isFeedback: isFeedback, position: arrow.position))
  }

  private mutating func connectMIDI(
    _ port: Int, _ from: ChainEnd, _ to: ChainEnd, by arrow: Located<Arrow>,
    diagnostics: inout DiagnosticCollector
  ) {
    guard let owner = to.owner else { return }
    guard case .unit(let unit) = owner else {
      if case .output = owner {
        diagnostics.error(
          arrow.position,
          "“\(from.name)” carries MIDI, “\(to.name)” audio; put an instrument between")
      }
      return
    }
    guard let facts = units[unit].facts else { return }
    if !facts.hasMIDIInput {
      diagnostics.error(
        arrow.position,
        "“\(from.name)” carries MIDI, which “\(to.name)” (\(facts.component)) does not take")
    } else if to.isBusNamed, to.destination != nil {
      diagnostics.error(to.text.position, "MIDI goes to a unit, not to a bus; write “\(to.name)”")
    } else if arrow.value == .feedback {
      diagnostics.error(arrow.position, "only a cable from unit to unit can feed back (~>)")
    } else if !midiCables.contains(MIDICable(port: port, unit: unit)) {
      midiCables.append(MIDICable(port: port, unit: unit))
    }
  }
}

extension Endpoint {
  var isUnit: Bool {
    if case .unit = self { return true }
    return false
  }
}
