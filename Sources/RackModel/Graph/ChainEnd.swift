import Documents
import UnitModel

/// A resolved name in a chain: the source for the name after it, and the destination for the name before
/// it, of audio, MIDI or both. Errors of this name alone have been reported.
struct ChainEnd {
  /// An audio and a MIDI endpoint, each nil where there is none.
  struct Ways {
    var audio: Endpoint?
    var midi: Endpoint?

    var isEmpty: Bool { audio == nil && midi == nil }
  }

  let text: Located<String>
  /// The name of the port or unit, without the bus.
  let name: String
  private let bus: String?
  private let written: ChainName
  /// The channel and key limits of the cable after this name; for an output of the rack, of the cable
  /// before it.
  private(set) var limits = MIDIFilter()
  private(set) var owner: RackContext.Owner?
  private(set) var source = Ways()
  private(set) var destination = Ways()
  /// The unit's description; nil for a port or a missing unit.
  private(set) var facts: UnitFacts?
  /// Whether the name names an input bus.
  private(set) var namesInput = false
  private let isFirst: Bool
  private let isLast: Bool
  private let diagnostics: DiagnosticCollector

  var isBusNamed: Bool { bus != nil }

  init(_ text: Located<String>, isFirst: Bool, isLast: Bool, context: RackContext) {
    (self.text, self.isFirst, self.isLast) = (text, isFirst, isLast)
    diagnostics = context.diagnostics
    written = ChainName(text.value)
    let parts = written.path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    name = parts[0]
    bus = parts.count > 1 ? parts[1] : nil
    guard let owner = context.owners[name] else {
      let arrows = name.contains(">") ? "; an arrow is written ->, or ~> where it feeds back" : ""
      error(
        "nothing in this rack is called “\(name)”\(arrows)",
        suggestion: nearestWord(to: name, in: context.owners.keys.sorted()))
      return
    }
    self.owner = owner
    do {
      limits = try written.filter()
    } catch {
      self.error("“\(text.value)”: \(error.reason)", suggestion: error.suggestion)
    }
    let ports = context.ports
    switch owner {
    case .input(let index):
      source.audio = .port(index)
      resolve(port: owner, channelCount: ports.inputs[index].port.channelCount)
    case .midiInput(let index):
      source.midi = .port(index)
      resolve(port: owner, channelCount: nil)
    case .output(let index):
      destination.audio = .port(index)
      resolve(port: owner, channelCount: ports.outputs[index].port.channelCount)
    case .midiOutput(let index):
      destination.midi = .port(index)
      resolve(port: owner, channelCount: nil)
    case .unit(let index): resolve(unit: index, context.units[index])
    }
  }

  private func error(_ message: String, suggestion: String? = nil) {
    diagnostics.error(text.position, message, suggestion: suggestion)
  }

  /// - Parameter channelCount: nil for a MIDI port.
  private mutating func resolve(port owner: RackContext.Owner, channelCount: Int?) {
    if let bus {
      // `in.1` is the first channel of a port.
      if channelCount != nil, let number = Int(bus), limits.channel == nil {
        limits.channel = number
      } else {
        error(
          "“\(name)” is \(owner.kind) of the rack, which has no busses; write “\(name)”, or "
            + "“\(name) channel 1”")
      }
    }
    let count = channelCount ?? 16
    if let channel = limits.channel, !(1...count).contains(channel) {
      error(
        "“\(name)” has \(count == 1 ? "one channel" : "channels 1 to \(count)"), not \(channel)")
    }
    if !source.isEmpty, !isFirst {
      error("“\(name)” is \(owner.kind) of the rack, so it can only begin a chain")
    } else if !destination.isEmpty, !isLast {
      error("“\(name)” is an output of the rack, so it can only end a chain")
    }
  }

  /// Resolves a unit's name. In the middle of a chain a bus is an input, unless only an output has its
  /// name.
  private mutating func resolve(unit index: Int, _ unit: ResolvedUnit) {
    facts = unit.facts
    if isLast, written.hasLimits {
      error(
        "“\(text.value)”: channels and notes are chosen before an arrow, or of an output of the rack"
      )
    }
    guard let facts else { return }
    let busses = UnitWays(facts, inputBusCount: unit.inputBusCount)
    var inputs = busses.inputs(named: nil)
    var outputs = busses.outputs(named: nil)
    if let bus {
      if !isFirst, let input = busses.inputs(named: bus) {
        (inputs, namesInput) = (input, true)
      } else if !isLast, let output = busses.outputs(named: bus) {
        outputs = output
      } else {
        return refuse(bus, of: busses)
      }
    }
    func ways(_ found: UnitWays.Found?) -> Ways {
      Ways(
        audio: found?.audio.map { .unit(index, bus: $0) },
        midi: found?.midi.map { .unit(index, bus: $0) })
    }
    if !isLast {
      source = ways(outputs)
      if source.isEmpty { error("“\(name)” (\(facts.component)) has no output") }
    }
    if !isFirst { destination = ways(inputs) }
  }

  private func refuse(_ bus: String, of busses: UnitWays) {
    let known = (isFirst ? [] : busses.inputNames) + (isLast ? [] : busses.outputNames)
    let kind = isFirst ? "output" : isLast ? "input" : "bus"
    let listed =
      known.count > 8
      ? known.prefix(3).joined(separator: ", ") + " ... \(known[known.count - 1])"
      : known.isEmpty ? "none" : known.joined(separator: ", ")
    var advice = ""
    if !isFirst, Int(bus) != nil, busses.facts.canAddInputBusses {
      advice = "; “inputs: \(bus)” gives it more"
    }
    if !isLast, let channel = Int(bus) {
      advice += "; a channel is written “\(name) channel \(channel)”"
    }
    error(
      "“\(name)” (\(busses.facts.component)) has no \(kind) “\(bus)”; it has \(listed)\(advice)",
      suggestion: nearestWord(to: bus, in: known).map { "\(name).\($0)" })
  }

  /// Returns the signal of an arrow from here to `other`: audio where both ends can carry either, nil where
  /// the ends do not fit.
  func link(to other: ChainEnd) -> Link? {
    let isForMIDI = limits.notes != nil && source.midi != nil && other.destination.midi != nil
    if !isForMIDI, let from = source.audio, let to = other.destination.audio {
      let isPort = to.unit == nil
      return .audio(
        from, to, fromChannel: limits.channel, toChannel: isPort ? other.limits.channel : nil)
    }
    if let from = source.midi, let to = other.destination.midi { return .midi(from, to, limits) }
    return nil
  }

  /// The signal that an arrow of a chain carries, with its two ends.
  enum Link: Hashable {
    case audio(Endpoint, Endpoint, fromChannel: Int?, toChannel: Int?)
    case midi(Endpoint, Endpoint, MIDIFilter)
  }

  /// The text of this name when it starts a chain.
  var textAsFirst: String {
    namesInput ? name + text.value.dropFirst(written.path.count) : text.value
  }
  /// The text of this name when it ends a chain.
  var textAsLast: String { isBusNamed && !namesInput ? name : written.path }
}

extension RackContext {
  /// Returns the resolved names of a chain.
  func ends(of chain: Rack.Chain) -> [ChainEnd] {
    let last = chain.endpoints.count - 1
    return chain.endpoints.enumerated().map { index, text in
      ChainEnd(text, isFirst: index == 0, isLast: index == last, context: self)
    }
  }
}
