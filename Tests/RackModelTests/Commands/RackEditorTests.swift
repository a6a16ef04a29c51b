import Documents
import RackModel
import Testing

/// Edits of a rack as it is written.
@Suite struct RackEditorTests {
  private let checker = RackChecker(catalogue: TestCatalogue.units, folder: "/music") { _ in true }

  private func rack(units: String, _ connections: String...) throws -> CheckedRack {
    let text = """
      rack: Test
      inputs: { in: { channels: 2 }, other: { channels: 2 }, keys: { midi: true } }
      outputs: { main: { channels: 2 } }
      units:
      \(units.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
      connections:
      \(connections.map { "  - \($0)" }.joined(separator: "\n"))
      """
    let (rack, diagnostics) = checker.open(Array(text.utf8), file: "test.yaml")
    return try #require(rack, "\(diagnostics)")
  }

  private func chains(_ rack: CheckedRack) -> [String] { rack.file.connections.map(\.text) }

  private func edited(_ rack: CheckedRack, _ edits: RackEdit...) throws -> CheckedRack {
    try edits.reduce(rack) { try RackEditor(checker).apply($1, to: $0) }
  }

  private let row = """
    ring: { unit: aufx/ring/bkln }
    level: { unit: aufx/gain/bkln, bypass: true, parameters: { gain: -6 dB } }
    """

  @Test func aUnitIsPutIntoACable() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(
      rack,
      .add(name: "tone", unit: "Low-Pass Filter", preset: nil, inputs: nil, into: "ring -> level"))
    #expect(chains(after) == ["in -> ring -> tone -> level -> main"])
    #expect(after.plan.units.map(\.name) == ["ring", "level", "tone"])
    #expect(after.plan.cables.count == 4)
  }

  @Test func whatCameToARemovedUnitGoesOn() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    #expect(chains(try edited(rack, .remove(name: "ring"))) == ["in -> level -> main"])
    let parted = try self.rack(
      units: row + "\nmix: { unit: aumx/mixr/bkln, inputs: 2 }", "in -> ring", "other -> ring",
      "ring -> mix.2", "ring -> level", "in -> mix.1 -> main", "level -> main")
    let after = try edited(parted, .remove(name: "ring"))
    #expect(
      chains(after) == [
        "in -> mix.1 -> main", "level -> main", "in -> mix.2", "in -> level", "other -> mix.2",
        "other -> level",
      ])
  }

  @Test func controlsAreMappedAndForgotten() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let mapped = try edited(
      rack,
      .map(
        Rack.Control(
          from: "keys cc 7", to: "level.gain", range: ["-20 dB", "0 dB"], mode: .toggle)),
      .map(Rack.Control(from: "keys bend", to: "level.gain", picksUp: true)),
      .map(Rack.Control(from: "keys cc 1", to: "ring.bypass")))
    #expect(mapped.plan.controls.map { "\($0.source)" } == ["cc 7", "bend", "cc 1"])
    #expect(mapped.file.controls[0].range?.map(\.value) == ["-20 dB", "0 dB"])
    #expect(mapped.plan.controls[1].picksUp)
    // The same once more takes its place.
    let again = try edited(
      mapped, .map(Rack.Control(from: "keys cc 7", to: "level.gain", curve: .linear)))
    #expect(again.plan.controls.map { "\($0.source)" } == ["cc 7", "bend", "cc 1"])
    #expect(again.file.controls[0].range == nil)
    // So does the same in other words, as it was learned.
    for source in ["keys cc 7 channel 1", "keys  cc 7", "keys cc 7/39"] {
      let other = try edited(again, .map(Rack.Control(from: source, to: "level.gain")))
      #expect(other.file.controls.map(\.source?.value) == [source, "keys bend", "keys cc 1"])
      let back = try edited(other, .map(Rack.Control(from: "keys cc 7", to: "level.gain")))
      #expect(back.file.controls.map(\.source?.value) == again.file.controls.map(\.source?.value))
    }
    for source in ["keys cc 8", "keys cc 39", "keys note 7", "keys nrpn 7"] {
      let other = try edited(again, .map(Rack.Control(from: source, to: "level.gain")))
      #expect(other.file.controls.count == 4)
    }
    let channels = try edited(
      again, .map(Rack.Control(from: "keys bend channel 1", to: "ring.bypass")),
      .map(Rack.Control(from: "keys bend channel 2", to: "ring.bypass")))
    #expect(channels.file.controls.count == 5)
    #expect(
      try edited(again, .forget(to: "level.gain")).file.controls.map(\.target?.value)
        == ["ring.bypass"])
    let both = try edited(
      mapped, .map(Rack.Control(from: "keys cc 8", to: "level.gain")),
      .forget(to: "level.gain", from: "keys cc 7"))
    #expect(both.file.controls.map(\.source?.value) == ["keys bend", "keys cc 1", "keys cc 8"])
    let refusals: [(RackEdit, String)] = [
      (
        .forget(to: "level.gain", from: "keys cc 6"),
        "“keys cc 6” does not move “level.gain”; did you mean “keys cc 7”?"
      ),
      (.forget(to: "level.gian"), "no control moves “level.gian”; did you mean “level.gain”?"),
      (.map(Rack.Control(from: "kesy cc 1", to: "level.gain")), "did you mean “keys”?"),
      (.map(Rack.Control(from: "keys cc 1", to: "level.gian")), "did you mean “level.gain”?"),
      (.map(Rack.Control(from: "keys cc 1", to: "gain")), "did you mean “level.gain”?"),
      (.map(Rack.Control(from: "keys cc 1", to: "level.gain", range: ["1 dB"])), "two values"),
      (.map(Rack.Control(from: "keys cc 1", to: "scene none")), "there is no scene “none”"),
    ]
    for (edit, reason) in refusals {
      let error = #expect(throws: Refusal.self) { try edited(mapped, edit) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
    }
  }

  /// MIDI into a synth does not go on as sound, nor what came by a bus's name.
  @Test func whatCannotGoOnEnds() throws {
    let rack = try rack(
      units: "synth: { unit: aumu/sine/bkln }\nring: { unit: aufx/ring/bkln }",
      "keys -> synth -> main", "in -> ring -> main", "synth -> ring.carrier")
    #expect(chains(try edited(rack, .remove(name: "synth"))) == ["in -> ring -> main"])
    let after = try edited(rack, .remove(name: "ring"))
    #expect(chains(after) == ["keys -> synth -> main", "in -> main"])
  }

  @Test func aChainIsPartedWhereACableGoes() throws {
    let rack = try rack(
      units: row + "\nmix: { unit: aumx/mixr/bkln, inputs: 2 }",
      "in -> ring -> mix.2 -> level -> main")
    let after = try edited(rack, .disconnect("ring -> mix.2"))
    #expect(chains(after) == ["in -> ring", "mix -> level -> main"])
    let back = try edited(after, .connect("ring -> mix.2"))
    #expect(
      Swift.Set(back.plan.cables.map { "\($0.source) \($0.destination)" })
        == Swift.Set(rack.plan.cables.map { "\($0.source) \($0.destination)" }))
    #expect(
      chains(try edited(rack, .disconnect("mix -> level -> main"))) == ["in -> ring -> mix.2"])
  }

  @Test func onlyWhatIsNewIsConnected() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(rack, .connect("other -> ring -> level"))
    #expect(chains(after) == ["in -> ring -> level -> main", "other -> ring"])
  }

  @Test func aRenamedUnitKeepsItsCablesAndSettings() throws {
    let rack = try rack(units: row, "in -> level -> ring.carrier", "in -> ring -> main")
    let after = try edited(
      rack, .rename(name: "ring", to: "bell"), .rename(name: "level", to: "boost"))
    #expect(chains(after) == ["in -> boost -> bell.carrier", "in -> bell -> main"])
    #expect(after.plan.units[1].isBypassed)
    #expect(after.plan.units[1].parameters.map(\.value) == [-6])
  }

  @Test func aReplacedUnitKeepsItsNameAndCables() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(rack, .replace(name: "level", unit: "Low-Pass Filter"))
    #expect(chains(after) == chains(rack))
    #expect(after.plan.units[1].component.description == "aufx/lpas/bkln")
    #expect(after.plan.units[1].parameters.isEmpty && after.plan.units[1].isBypassed)
  }

  @Test(arguments: [
    (RackEdit.remove(name: "rng"), "there is no unit “rng” in this rack; did you mean “ring”?"),
    (.rename(name: "ring", to: "level"), "“level” is already the name of a unit"),
    (.rename(name: "ring", to: "main"), "“main” is already the name of a port"),
    (.connect("in -> ring"), "“in -> ring” is connected already"),
    (.connect("in -> rng"), "nothing in this rack is called “rng”; did you mean “ring”?"),
    (.connect("in ring"), "“in ring” has no arrow; a chain reads mic -> ring -> main"),
    (.connect("level -> ring"), "a loop: ring -> level -> ring"),
    (.disconnect("in -> level"), "“in” is not connected to “level”"),
    (.replace(name: "ring", unit: "Rign Modulator"), "did you mean “Ring Modulator”?"),
    (.loadPreset(name: "ring", preset: "Slap"), "has no preset “Slap”"),
    (
      .add(name: "a.b", unit: "Gain", preset: nil, inputs: nil, into: nil),
      "“a.b” has a dot, which stands between a unit and its bus in chains"
    ),
    (
      .add(name: "a", unit: "Gain", preset: nil, inputs: nil, into: "in -> level"),
      "there is no cable “in -> level” in this rack"
    ),
    (
      .add(name: "a", unit: "Gain", preset: nil, inputs: nil, into: "in -> ring -> level"),
      "is more than one cable"
    ),
  ])
  func whatCannotBeIsRefused(edit: RackEdit, reason: String) throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let error = #expect(throws: Refusal.self) { try edited(rack, edit) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
  }
}
