import Documents
import UnitModel

/// One name in a chain, as what it can be: a source for what follows, a destination for what comes
/// before, of sound, of MIDI or of either. What it cannot be at all has been said.
struct ChainEnd {
  /// Where sound and where MIDI begins or ends; nil for what there is none of.
  struct Ways {
    var audio: Endpoint?
    var midi: Endpoint?

    var isEmpty: Bool { audio == nil && midi == nil }
  }

  let text: Located<String>
  /// Without the bus.
  let name: String
  private let written: ChainName
  /// What the cable behind it is limited to; of a rack's output, the cable before it.
  private(set) var limits = MIDIFilter()
  private(set) var owner: RackNames.Owner?
  private(set) var source = Ways()
  private(set) var destination = Ways()
  /// Of the unit, where it is one.
  private(set) var facts: UnitFacts?
  let isBusNamed: Bool
  /// Whether the named bus is an input.
  private(set) var namesInput = false

  init(
    _ text: Located<String>, isFirst: Bool, isLast: Bool, context: ConnectionResolver,
    diagnostics: inout DiagnosticCollector
  ) {
    self.text = text
    written = ChainName(text.value)
    let parts = written.path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    name = parts[0]
    isBusNamed = parts.count > 1
    guard let owner = context.names.owners[name] else {
      let candidates = context.names.owners.keys.sorted()
      diagnostics.error(
        text.position,
        "nothing in this rack is called “\(name)”" + (name.contains(">") ? Self.arrows : ""),
        suggestion: nearestWord(to: name, in: candidates))
      return
    }
    self.owner = owner
    do {
      limits = try written.filter()
    } catch {
      diagnostics.error(
        text.position, "“\(text.value)”: \(error.reason)", suggestion: error.suggestion)
    }
    if case .unit(let index) = owner {
      facts = context.units[index].facts
      if isLast, written.hasLimits {
        diagnostics.error(
          text.position,
          "“\(text.value)”: channels and notes are chosen before an arrow, or of an output of the "
            + "rack")
      }
      resolve(
        unit: index, bus: isBusNamed ? parts[1] : nil, isFirst: isFirst, isLast: isLast,
        of: context.units[index], diagnostics: &diagnostics)
      return
    }
    if isBusNamed { choose(channel: parts[1], of: owner, diagnostics: &diagnostics) }
    checkChannel(of: owner, context.ports, diagnostics: &diagnostics)
    switch owner {
    case .input, .midiInput:
      if !isFirst {
        diagnostics.error(
          text.position, "“\(name)” is \(owner.kind) of the rack, so it can only begin a chain")
      }
    case .output, .midiOutput:
      if !isLast {
        diagnostics.error(
          text.position, "“\(name)” is an output of the rack, so it can only end a chain")
      }
    case .unit: break
    }
    switch owner {
    case .input(let index): source.audio = .port(index)
    case .midiInput(let index): source.midi = .port(index)
    case .output(let index): destination.audio = .port(index)
    case .midiOutput(let index): destination.midi = .port(index)
    case .unit: break
    }
  }

  /// `in.1` is the first channel of a port.
  private mutating func choose(
    channel: String, of owner: RackNames.Owner, diagnostics: inout DiagnosticCollector
  ) {
    switch owner {
    case .input, .output:
      if let number = Int(channel), limits.channel == nil {
        limits.channel = number
        return
      }
    default: break
    }
    diagnostics.error(
      text.position,
      "“\(name)” is \(owner.kind) of the rack, which has no busses; write “\(name)”, or "
        + "“\(name) channel 1”")
  }

  private func checkChannel(
    of owner: RackNames.Owner, _ ports: RackPorts, diagnostics: inout DiagnosticCollector
  ) {
    guard let channel = limits.channel else { return }
    let count =
      switch owner {
      case .input(let index): ports.inputs[index].port.channelCount
      case .output(let index): ports.outputs[index].port.channelCount
      default: 16
      }
    guard !(1...count).contains(channel) else { return }
    diagnostics.error(
      text.position,
      "“\(name)” has \(count == 1 ? "one channel" : "channels 1 to \(count)"), not \(channel)")
  }

  private static let arrows = "; an arrow is written ->, or ~> where it feeds back"

  /// In the middle of a chain a bus is where the sound goes in, unless only an output is called so.
  private mutating func resolve(
    unit index: Int, bus: String?, isFirst: Bool, isLast: Bool, of unit: ResolvedUnit,
    diagnostics: inout DiagnosticCollector
  ) {
    guard let facts = unit.facts else { return }
    let busses = UnitWays(facts, inputBusCount: unit.inputBusCount)
    var inputs = busses.inputs(named: nil)
    var outputs = busses.outputs(named: nil)
    if let bus {
      let input = isFirst ? nil : busses.inputs(named: bus)
      let output = isLast ? nil : busses.outputs(named: bus)
      if let input {
        inputs = input
        namesInput = true
      } else if let output {
        outputs = output
      } else {
        refuse(bus, isFirst: isFirst, isLast: isLast, busses, diagnostics: &diagnostics)
        return
      }
    }
    if !isLast, let outputs {
      source = Ways(
        audio: outputs.audio.map { .unit(index, bus: $0) },
        midi: outputs.midi.map { .unit(index, bus: $0) })
      if source.isEmpty {
        diagnostics.error(text.position, "“\(name)” (\(facts.component)) has no output")
      }
    }
    if !isFirst, let inputs {
      destination = Ways(
        audio: inputs.audio.map { .unit(index, bus: $0) },
        midi: inputs.midi.map { .unit(index, bus: $0) })
    }
  }

  private func refuse(
    _ bus: String, isFirst: Bool, isLast: Bool, _ busses: UnitWays,
    diagnostics: inout DiagnosticCollector
  ) {
    let known =
      isFirst
      ? busses.outputNames
      : isLast ? busses.inputNames : busses.inputNames + busses.outputNames
    let kind = isFirst ? "output" : isLast ? "input" : "bus"
    let listed = known.isEmpty ? "none" : Self.listed(known)
    let nearest = nearestWord(to: bus, in: known).map { "\(name).\($0)" }
    var more = ""
    if !isFirst, Int(bus) != nil, busses.facts.canAddInputBusses {
      more = "; “inputs: \(bus)” gives it more"
    }
    if !isLast, let channel = Int(bus) {
      more += "; a channel is written “\(name) channel \(channel)”"
    }
    diagnostics.error(
      text.position,
      "“\(name)” (\(busses.facts.component)) has no \(kind) “\(bus)”; it has \(listed)\(more)",
      suggestion: nearest)
  }

  /// What an arrow from here to there carries, and between what: whatever both can be, sound where
  /// they can be both. Nil where they do not fit.
  func way(to other: ChainEnd) -> Way? {
    let isForMIDI = limits.notes != nil && source.midi != nil && other.destination.midi != nil
    if !isForMIDI, let from = source.audio, let to = other.destination.audio {
      let isPort = to.unit == nil
      return .audio(
        from, to, fromChannel: limits.channel, toChannel: isPort ? other.limits.channel : nil)
    }
    if let from = source.midi, let to = other.destination.midi { return .midi(from, to, limits) }
    return nil
  }

  /// The signal that an arrow of a chain carries.
  enum Way: Hashable {
    case audio(Endpoint, Endpoint, fromChannel: Int?, toChannel: Int?)
    case midi(Endpoint, Endpoint, MIDIFilter)
  }

  /// The name at the start of a chain.
  var textAsFirst: String {
    namesInput ? name + text.value.dropFirst(written.path.count) : text.value
  }
  /// How a chain that ends here names it.
  var textAsLast: String { isBusNamed && !namesInput ? name : written.path }

  private static func listed(_ names: [String]) -> String {
    guard names.count > 8, let last = names.last else { return names.joined(separator: ", ") }
    return names.prefix(3).joined(separator: ", ") + " ... \(last)"
  }
}
