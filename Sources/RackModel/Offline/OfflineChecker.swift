import Documents
import UnitModel

/// Reports the features that a rack with an offline effect cannot have.
struct OfflineChecker {
  let context: RackContext
  let cables: [Cable]
  let midiCables: [MIDICable]
  let modulations: [(planned: PlannedModulation, position: SourcePosition)]
  let catalogue: any UnitDirectory
  /// Whether the rack is to play live.
  let playsLive: Bool

  private var diagnostics: DiagnosticCollector { context.diagnostics }
  private var units: [ResolvedUnit] { context.units }

  func check() {
    guard units.contains(where: \.isOfflineEffect) else { return }
    guard !playsLive else {
      for unit in units where unit.isOfflineEffect {
        diagnostics.error(
          unit.position,
          "“\(unit.name)” is an offline effect: it needs its whole input before it gives any output,"
            + " so the rack cannot play live; render it: backline render")
      }
      return
    }
    for unit in units where unit.isOfflineEffect { checkProcess(of: unit) }
    for port in context.ports.midiOutputs {
      diagnostics.error(
        port.name.position, "a rack with an offline effect has no MIDI output; remove it")
    }
    let order = OfflineOrder(
      isOffline: units.map(\.isOfflineEffect),
      cables: cables + modulations.map { $0.planned.cable(at: $0.position) },
      midiCables: midiCables)
    for cable in cables where cable.isFeedback {
      require(order, cable.source.unit, cable.destination.unit, cable.position, "feed back to")
    }
    for cable in midiCables {
      require(order, cable.source.unit, cable.destination.unit, cable.position, "send MIDI to")
    }
    for (planned, position) in modulations {
      require(order, planned.source.unit, planned.unit, position, "modulate")
    }
  }

  /// Reports a connection between two units that do not play in one part of the rendering.
  private func require(
    _ order: OfflineOrder, _ source: Int?, _ destination: Int?, _ position: SourcePosition,
    _ verb: String
  ) {
    guard let source, let destination else { return }
    let names = "“\(units[source].name)” cannot \(verb) “\(units[destination].name)”"
    if let offline = [source, destination].first(where: { units[$0].isOfflineEffect }) {
      diagnostics.error(
        position, "\(names): “\(units[offline].name)” is an offline effect, which takes audio alone"
      )
    } else if order.parts[source] != order.parts[destination] {
      diagnostics.error(position, "\(names): an offline effect lies between them")
    }
  }

  private func checkProcess(of unit: ResolvedUnit) {
    let written = unit.entry.process
    guard let reference = unit.reference,
      (written?.value ?? catalogue.defaultProcess(of: reference)) != .host
    else { return }
    let manifest = catalogue.manifestWithoutConsent(of: reference)
    diagnostics.error(
      written?.position ?? unit.position,
      "“\(unit.name)” is an offline effect, which runs in Backline's own process: write "
        + (manifest.map { "“in_process: true” into \($0)" } ?? "“process: host”"))
  }
}

extension ResolvedUnit {
  var isOfflineEffect: Bool { facts?.isOfflineEffect ?? false }
}
