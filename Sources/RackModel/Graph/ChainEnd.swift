import Documents
import UnitModel

/// One name in a chain, as what it can be: a source for what follows, a destination for what comes
/// before. What it cannot be has been said, except that a unit may be fed MIDI instead of audio.
struct ChainEnd {
  enum Source {
    case audio(Endpoint)
    case midiInput(Int)
  }

  enum Refusal {
    case unitWithoutAudioInput(UnitFacts)
  }

  let text: Located<String>
  /// Without the bus.
  let name: String
  private(set) var owner: RackNames.Owner?
  private(set) var source: Source?
  private(set) var destination: Endpoint?
  private(set) var refusal: Refusal?
  let isBusNamed: Bool

  init(
    _ text: Located<String>, isFirst: Bool, isLast: Bool, context: ConnectionResolver,
    diagnostics: inout DiagnosticCollector
  ) {
    self.text = text
    let parts = text.value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    name = parts[0]
    isBusNamed = parts.count > 1
    guard let owner = context.names.owners[name] else {
      let candidates = context.names.owners.keys.sorted()
      diagnostics.error(
        text.position, "nothing in this rack is called “\(name)”",
        suggestion: nearestWord(to: name, in: candidates))
      return
    }
    self.owner = owner
    if case .unit(let index) = owner {
      resolve(
        unit: index, bus: isBusNamed ? parts[1] : nil, isFirst: isFirst, isLast: isLast,
        of: context.units[index], diagnostics: &diagnostics)
      return
    }
    if isBusNamed {
      diagnostics.error(
        text.position,
        "“\(name)” is \(owner.kind) of the rack, which has no busses; write “\(name)”")
    }
    switch owner {
    case .input, .midiInput:
      if !isFirst {
        diagnostics.error(
          text.position, "“\(name)” is \(owner.kind) of the rack, so it can only begin a chain")
      }
    case .output where !isLast:
      diagnostics.error(
        text.position, "“\(name)” is an output of the rack, so it can only end a chain")
    default: break
    }
    switch owner {
    case .input(let index): source = .audio(.port(index))
    case .midiInput(let index): source = .midiInput(index)
    case .output(let index): destination = .port(index)
    case .unit: break
    }
  }

  /// In the middle of a chain a bus is where the sound goes in, unless only an output is called so.
  private mutating func resolve(
    unit index: Int, bus: String?, isFirst: Bool, isLast: Bool, of unit: ResolvedUnit,
    diagnostics: inout DiagnosticCollector
  ) {
    guard let facts = unit.facts else { return }
    let inputNames = facts.inputBusNames(count: unit.inputBusCount)
    let outputNames = facts.outputBusses.map(\.name)
    let input = bus.map { facts.inputBusIndex(of: $0, count: unit.inputBusCount) }
    let output = bus.map { facts.outputBusIndex(of: $0) }
    var inputBus: Int? = inputNames.isEmpty ? nil : 0
    var outputBus: Int? = outputNames.isEmpty ? nil : 0
    if isFirst {
      if let output { outputBus = output }
    } else if let input, input != nil || isLast {
      inputBus = input
    } else if let output {
      outputBus = output
    }
    let isBusFound = isFirst ? outputBus != nil : inputBus != nil && outputBus != nil
    if let bus, !isBusFound {
      let known = isFirst ? outputNames : isLast ? inputNames : inputNames + outputNames
      let kind = isFirst ? "output" : isLast ? "input" : "bus"
      let listed = known.isEmpty ? "none" : Self.listed(known)
      let nearest = nearestWord(to: bus, in: known).map { "\(name).\($0)" }
      var more = ""
      if !isFirst, Int(bus) != nil, facts.canAddInputBusses {
        more = "; “inputs: \(bus)” gives it more"
      }
      diagnostics.error(
        text.position,
        "“\(name)” (\(facts.component)) has no \(kind) “\(bus)”; it has \(listed)\(more)",
        suggestion: nearest)
      return
    }
    if !isLast {
      if let outputBus { source = .audio(.unit(index, bus: outputBus)) }
      if outputBus == nil {
        diagnostics.error(text.position, "“\(name)” (\(facts.component)) has no output")
      }
    }
    if let inputBus {
      destination = .unit(index, bus: inputBus)
    } else if !isFirst {
      refusal = .unitWithoutAudioInput(facts)
    }
  }

  private static func listed(_ names: [String]) -> String {
    guard names.count > 8, let last = names.last else { return names.joined(separator: ", ") }
    return names.prefix(3).joined(separator: ", ") + " ... \(last)"
  }
}
