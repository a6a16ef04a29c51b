extension UnitGraph {
  /// Returns the indices of the units whose audio or MIDI reaches an output.
  static func audibleUnits(cables: [Cable], midiCables: [MIDICable]) -> Set<Int> {
    var feeders: [Int: [Int]] = [:]
    var waiting: [Int] = []
    let ends =
      cables.map { ($0.source, $0.destination) } + midiCables.map { ($0.source, $0.destination) }
    for (source, destination) in ends {
      guard case .unit(let from, _) = source else { continue }
      switch destination {
      case .port: waiting.append(from)
      case .unit(let to, _): feeders[to, default: []].append(from)
      }
    }
    var heard: Set<Int> = []
    while let unit = waiting.popLast() {
      if heard.insert(unit).inserted { waiting += feeders[unit] ?? [] }
    }
    return heard
  }
}

extension Plan {
  /// The indices of the units whose audio or MIDI reaches an output; no other unit is rendered.
  public var audibleUnits: Set<Int> {
    UnitGraph.audibleUnits(cables: cables, midiCables: midiCables)
  }
}
