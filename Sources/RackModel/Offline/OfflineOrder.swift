/// The assignment of units to the parts of a rendering. Offline effects divide the rendering, since each
/// needs its whole input before it gives any output.
struct OfflineOrder {
  /// The part of each unit, from 0 on. An offline effect runs after the part of its number.
  private(set) var parts: [Int]
  private let isOffline: [Bool]

  /// Assigns each unit to the earliest part that its sources allow. A unit fed by neither an audio input
  /// nor an offline effect, such as a generator or an instrument, plays in the first part in which it is
  /// heard.
  ///
  /// - Parameter cables: the audio cables, and the modulations as cables.
  init(isOffline: [Bool], cables: [Cable], midiCables: [MIDICable]) {
    self.isOffline = isOffline
    parts = Array(repeating: 0, count: isOffline.count)
    var isBound = isOffline
    let cables = cables.filter { !$0.isFeedback }
    let ways =
      cables.map { ($0.source, $0.destination) } + midiCables.map { ($0.source, $0.destination) }
    let order = UnitGraph(unitCount: isOffline.count, cables: cables, midiCables: midiCables).order
    let incoming = Dictionary(grouping: ways) { $0.1.unit ?? -1 }
    let isFed = Set(cables.filter { $0.source.unit == nil }.compactMap(\.destination.unit))
    for unit in order {
      let sources = (incoming[unit] ?? []).map(\.0)
      parts[unit] = sources.map(part(behind:)).max() ?? 0
      isBound[unit] =
        isBound[unit] || isFed.contains(unit)
        || sources.contains { $0.unit.map { isBound[$0] } ?? false }
    }
    let outgoing = Dictionary(grouping: ways) { $0.0.unit ?? -1 }
    let ports = Dictionary(grouping: ways.filter { $0.1.unit == nil }) { $0.1 }
    for unit in order.reversed() where !isBound[unit] {
      parts[unit] =
        (outgoing[unit] ?? []).map { _, destination in
          destination.unit.map { parts[$0] }
            ?? (ports[destination] ?? []).map { part(behind: $0.0) }.max() ?? 0
        }.min() ?? 0
    }
  }

  /// Returns the first part in which the output of a port or unit is available.
  func part(behind source: Endpoint) -> Int {
    source.unit.map { parts[$0] + (isOffline[$0] ? 1 : 0) } ?? 0
  }
}
