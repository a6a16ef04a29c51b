import Documents
import Testing
import UnitModel

@testable import RackModel

/// Modulations in a rack file, and edits of them.
@Suite struct ModulationTests {
  private let checker = RackChecker(catalogue: TestCatalogue.units, folder: "/music") { _ in true }

  private func open(_ modulations: String...) -> (rack: CheckedRack?, messages: [String]) {
    let text = """
      rack: Test
      inputs: { in: { channels: 2 }, keys: { midi: true } }
      outputs: { main: { channels: 2 } }
      units:
        sine: { unit: aumu/sine/bkln }
        tone: { unit: aufx/lpas/bkln }
        level: { unit: aufx/gain/bkln }
      connections: [ in -> tone -> level -> main, keys -> sine ]
      modulations:
      \(modulations.map { "  - \($0)" }.joined(separator: "\n"))
      """
    let (rack, diagnostics) = checker.open(Array(text.utf8), file: "test.yaml")
    return (rack, diagnostics.map { "\($0)" })
  }

  private func rack(_ modulations: String...) throws -> CheckedRack {
    let (rack, messages) = open(modulations.joined(separator: "\n  - "))
    return try #require(rack, "\(messages)")
  }

  private typealias Edit = @Sendable (RackEditor, CheckedRack) throws -> CheckedRack

  private func edited(_ rack: CheckedRack, _ edits: Edit...) throws -> CheckedRack {
    try edits.reduce(rack) { try $1(RackEditor(checker), $0) }
  }

  @Test func namesBecomePlaces() throws {
    let rack = try rack(
      "{ from: sine, to: tone.cutoff, depth: 30 % }",
      "{ from: in channel 2, to: level.gain, depth: -5 %, curve: square, late: true }")
    #expect(
      rack.plan.modulations == [
        PlannedModulation(
          source: .unit(0, bus: 0), sourceChannel: 1, unit: 1, address: 0, depth: 30),
        PlannedModulation(
          source: .port(0), sourceChannel: 2, unit: 2, address: 0, depth: -5, isSquared: true,
          isLate: true),
      ])
  }

  /// A unit that modulates another is not reported as reaching no output.
  @Test func aModulatingUnitNeedsNoWayToAnOutput() {
    #expect(open("{ from: sine, to: tone.cutoff, depth: 30 % }").messages == [])
  }

  @Test func whatIsWrongIsSaid() {
    func message(_ modulation: String) -> String {
      open(modulation).messages.first { $0.contains("error") } ?? "none"
    }
    let wrong = [
      "{ to: tone.cutoff, depth: 1 % }": "a modulation says where it comes from",
      "{ from: sine, depth: 1 % }": "a modulation says what it moves",
      "{ from: sine, to: tone.cutoff }": "a modulation says how far it goes",
      "{ from: sinne, to: tone.cutoff, depth: 1 % }": "did you mean “sine”?",
      "{ from: keys, to: tone.cutoff, depth: 1 % }": "“keys” carries MIDI",
      "{ from: keys cc 1, to: tone.cutoff, depth: 1 % }": "“keys cc 1” carries MIDI",
      "{ from: sine, to: tone.cutof, depth: 1 % }": "did you mean “tone.cutoff”?",
      "{ from: sine, to: tone.bypass, depth: 1 % }": "a bypass is on or off",
      "{ from: sine, to: tone.cutoff, depth: 1 Hz }": "depth",
      "{ from: sine, to: tone.cutoff, depth: 101 % }": "100 %",
      "{ from: sine, to: tone.cutoff, depth: 1 %, curve: log }": "linear or square",
      "{ from: in channel 3, to: tone.cutoff, depth: 1 % }": "channel",
      "{ from: level, to: tone.cutoff, depth: 1 % }": "late: true",
      "{ from: sine channel 3, to: tone.cutoff, depth: 1 % }": "channels 1 to 2, not 3",
      "sine": "a modulation is a map",
    ]
    for (modulation, part) in wrong {
      #expect(message(modulation).contains(part), "\(modulation): \(message(modulation))")
    }
    let twice = open(
      "{ from: sine, to: tone.cutoff, depth: 1 % }", "{ from: sine, to: tone.cutoff, depth: 2 % }")
    #expect(twice.messages.contains { $0.contains("modulates “tone.cutoff” already") })
  }

  @Test func editsFollowUnits() throws {
    let rack = try rack("{ from: sine, to: tone.cutoff, depth: 30 % }")
    let renamed = try edited(
      rack, { try $0.rename("sine", to: "lfo", in: $1) },
      { try $0.rename("tone", to: "filter", in: $1) })
    #expect(renamed.file.modulations.map { $0.source?.value } == ["lfo"])
    #expect(renamed.file.modulations.map { $0.target?.value } == ["filter.cutoff"])
    #expect(try edited(rack, { try $0.remove("sine", from: $1) }).file.modulations.isEmpty)
    #expect(try edited(rack, { try $0.remove("tone", from: $1) }).file.modulations.isEmpty)
    #expect(
      try edited(rack, { try $0.replace("tone", by: "aufx/gain/bkln", in: $1) }).file.modulations
        .isEmpty)
  }

  @Test func theyComeChangeAndGo() throws {
    let rack = try rack("{ from: sine, to: tone.cutoff, depth: 30 % }")
    let more = try edited(
      rack, { try $0.modulate(.init(from: "sine", to: "level.gain", depth: "10 %"), in: $1) },
      { try $0.modulate(.init(from: "sine", to: "tone.cutoff", depth: "-20 %"), in: $1) })
    #expect(more.plan.modulations.map(\.depth) == [-20, 10])
    #expect(
      try edited(more, { try $0.removeModulations(of: "tone.cutoff", by: nil, in: $1) }).plan
        .modulations.count == 1)
    #expect(throws: Refusal.self) {
      try edited(more, { try $0.removeModulations(of: "tone.resonance", by: nil, in: $1) })
    }
    #expect(throws: Refusal.self) {
      try edited(more, { try $0.removeModulations(of: "level.gain", by: "in", in: $1) })
    }
    // The modulations are written back in place.
    let text = try RackFileWriter(checker).write(more, into: rack)
    #expect(String(decoding: text, as: UTF8.self).contains("to: tone.cutoff, depth: -20 % }"))
  }
}
