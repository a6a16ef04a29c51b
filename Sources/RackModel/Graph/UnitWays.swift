import UnitModel

/// A unit's ways in and out as a chain names them: its busses, and its MIDI.
///
/// MIDI goes in by `midi`, or by `midi2` and so on where the unit tells several cables apart; it
/// comes out by the names that the unit has given its outputs. A bus of that name comes first.
struct UnitWays {
  /// Places among the busses, and among the MIDI cables.
  struct Found {
    var audio: Int?
    var midi: Int?
  }

  let facts: UnitFacts
  let inputBusCount: Int

  init(_ facts: UnitFacts, inputBusCount: Int) {
    self.facts = facts
    self.inputBusCount = inputBusCount
  }

  var inputNames: [String] {
    facts.inputBusNames(count: inputBusCount)
      + (0..<facts.virtualMIDICableCount).map { $0 == 0 ? "midi" : "midi\($0 + 1)" }
  }

  var outputNames: [String] { facts.outputBusses.map(\.name) + facts.midiOutputNames }

  /// The input that a chain names; without a name, the first of each kind. Nil for an unknown name.
  func inputs(named name: String?) -> Found? {
    guard let name else {
      return Found(
        audio: inputBusCount > 0 ? 0 : nil, midi: facts.virtualMIDICableCount > 0 ? 0 : nil)
    }
    if let bus = facts.inputBusIndex(of: name, count: inputBusCount) { return Found(audio: bus) }
    let busCount = facts.inputBusNames(count: inputBusCount).count
    return inputNames.dropFirst(busCount).firstIndex(of: name).map { Found(midi: $0 - busCount) }
  }

  /// The output that a chain names; without a name, the first of each kind. Nil for an unknown name.
  func outputs(named name: String?) -> Found? {
    guard let name else {
      return Found(
        audio: facts.outputBusses.isEmpty ? nil : 0, midi: facts.midiOutputNames.isEmpty ? nil : 0)
    }
    if let bus = facts.outputBusIndex(of: name) { return Found(audio: bus) }
    return facts.midiOutputNames.firstIndex(of: name).map { Found(midi: $0) }
  }
}
