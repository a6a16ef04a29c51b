import UnitModel

/// The inputs and outputs of a unit as a chain names them: its audio busses and its MIDI cables.
///
/// The MIDI inputs are named `midi`, `midi2` and so on where the unit distinguishes several cables; the
/// unit names its MIDI outputs itself. A bus of the same name takes precedence.
struct UnitWays {
  /// The index of an audio bus, and of a MIDI cable; each nil where there is none.
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

  /// Returns the input that a chain names; without a name, the first of each kind. Nil for an unknown name.
  func inputs(named name: String?) -> Found? {
    guard let name else {
      return Found(
        audio: inputBusCount > 0 ? 0 : nil, midi: facts.virtualMIDICableCount > 0 ? 0 : nil)
    }
    if let bus = facts.inputBusIndex(of: name, count: inputBusCount) { return Found(audio: bus) }
    let busCount = facts.inputBusNames(count: inputBusCount).count
    return inputNames.dropFirst(busCount).firstIndex(of: name).map { Found(midi: $0 - busCount) }
  }

  /// Returns the output that a chain names; without a name, the first of each kind. Nil for an unknown
  /// name.
  func outputs(named name: String?) -> Found? {
    guard let name else {
      return Found(
        audio: facts.outputBusses.isEmpty ? nil : 0, midi: facts.midiOutputNames.isEmpty ? nil : 0)
    }
    if let bus = facts.outputBusIndex(of: name) { return Found(audio: bus) }
    return facts.midiOutputNames.firstIndex(of: name).map { Found(midi: $0) }
  }
}
