import Documents
import UnitModel

/// Resolves the channel counts of every bus, from the inputs to the outputs.
///
/// A unit has as many channels as its source, where it can. One channel feeds any number; a source never
/// feeds a destination with fewer channels than its own.
struct ChannelNegotiator {
  let context: RackContext
  let cables: [Cable]
  let incompleteUnits: Set<Int>
  let catalogue: any UnitDirectory

  /// The channel counts of each unit; nil after an error.
  private(set) var counts: [ChannelCounts?] = []

  init(_ connections: ConnectionResolver, catalogue: any UnitDirectory) {
    (context, cables) = (connections.context, connections.cables)
    (incompleteUnits, self.catalogue) = (connections.incompleteUnits, catalogue)
  }

  private var diagnostics: DiagnosticCollector { context.diagnostics }
  private var units: [ResolvedUnit] { context.units }
  private var ports: RackPorts { context.ports }

  mutating func negotiate(order: [Int]) {
    counts = Array(repeating: nil, count: units.count)
    var incoming: [[Cable]] = Array(repeating: [], count: units.count)
    for cable in cables where !cable.isFeedback {
      if case .unit(let unit, _) = cable.destination { incoming[unit].append(cable) }
    }
    for unit in order where !incompleteUnits.contains(unit) {
      counts[unit] = resolve(unit, incoming: incoming[unit])
    }
    checkSourceChannels(of: cables)
    for cable in cables {
      let isToPort = cable.destination.unit == nil
      if isToPort || cable.isFeedback { checkFit(cable) }
    }
  }

  func checkSourceChannels(of cables: [Cable]) {
    for cable in cables {
      if case .unit(let unit, let bus) = cable.source, let channel = cable.sourceChannel,
        let width = counts[unit]?.outputs[bus], channel > width
      {
        diagnostics.error(
          cable.position,
          "“\(units[unit].name)” gives \(width == 1 ? "one channel" : "channels 1 to \(width)"), "
            + "not \(channel)")
      }
    }
  }

  private func resolve(_ index: Int, incoming: [Cable]) -> ChannelCounts? {
    let unit = units[index]
    guard let facts = unit.facts else { return nil }
    var sources: [Int?] = Array(repeating: nil, count: unit.inputBusCount)
    var widest: [Cable?] = Array(repeating: nil, count: unit.inputBusCount)
    for cable in incoming {
      guard case .unit(_, let bus) = cable.destination, let width = sourceWidth(of: cable) else {
        return nil
      }
      if let present = sources[bus], let other = widest[bus], present > 1, width > 1,
        present != width
      {
        diagnostics.error(
          cable.position,
          "“\(sourceName(of: cable))” gives \(width) channels and "
            + "“\(sourceName(of: other))” \(present) to the same input of “\(unit.name)”; cables that "
            + "meet must have the same number, or one")
        return nil
      }
      if width > (sources[bus] ?? 0) {
        sources[bus] = width
        widest[bus] = cable
      }
    }
    do {
      return try facts.channelCounts(sources: sources, output: unit.entry.channels?.value)
    } catch {
      let blamed = widest.compactMap(\.self).max {
        (sourceWidth(of: $0) ?? 0, $0.position) < (sourceWidth(of: $1) ?? 0, $1.position)
      }
      let from = blamed.map { (sourceWidth(of: $0) ?? 1) } ?? 1
      let fitting = facts.possibleInputCounts.filter { $0 < from }.max()
      let advice = fitting.map { self.advice(from: from, to: $0) } ?? ""
      diagnostics.error(
        unit.entry.channels?.position ?? blamed?.position ?? unit.position,
        "“\(unit.name)” (\(facts.component)) \(error)\(advice)")
      return nil
    }
  }

  /// Reports a port's cable or a feedback cable whose ends do not fit. These cables have no part in the
  /// resolution.
  private func checkFit(_ cable: Cable) {
    guard let source = sourceWidth(of: cable), source != 1,
      let destination = destinationWidth(of: cable),
      source != destination || cable.destinationChannel != nil
    else { return }
    if let channel = cable.destinationChannel {
      diagnostics.error(
        cable.position,
        "“\(sourceName(of: cable))” gives \(source) channels to channel \(channel) of "
          + "“\(destinationName(of: cable))”; write “\(sourceName(of: cable)) channel 1” for one of them"
      )
      return
    }
    let name = destinationName(of: cable)
    let channels = destination == 1 ? "1 channel" : "\(destination) channels"
    diagnostics.error(
      cable.position,
      "“\(sourceName(of: cable))” gives \(source) channels and “\(name)” has "
        + "\(channels); give “\(name)” channels: \(source)\(advice(from: source, to: destination))")
  }

  /// Returns a hint that names a unit of the catalogue which converts one number of channels into another;
  /// empty if there is none.
  private func advice(from source: Int, to destination: Int) -> String {
    let converters = catalogue.knownFacts.filter {
      ["aumx", "aufc"].contains($0.component.type.description)
        && $0.allows(input: source, output: destination)
    }
    guard let converter = converters.first else { return "" }
    return "; or put a unit that converts between: { unit: \(converter.component), "
      + "channels: \(destination) }"
  }

  private func sourceWidth(of cable: Cable) -> Int? {
    if cable.sourceChannel != nil { return 1 }
    return switch cable.source {
    case .port(let port): ports.inputs[port].port.channelCount
    case .unit(let unit, let bus): counts[unit]?.outputs[bus]
    }
  }

  private func destinationWidth(of cable: Cable) -> Int? {
    switch cable.destination {
    case .port(let port): ports.outputs[port].port.channelCount
    case .unit(let unit, let bus): counts[unit]?.inputs[bus]
    }
  }

  private func sourceName(of cable: Cable) -> String { name(of: cable.source, ports.inputs) }
  private func destinationName(of cable: Cable) -> String {
    name(of: cable.destination, ports.outputs)
  }

  private func name(of end: Endpoint, _ ports: [RackPorts.Entry]) -> String {
    switch end {
    case .port(let port): ports[port].port.name
    case .unit(let unit, _): units[unit].name
    }
  }
}
