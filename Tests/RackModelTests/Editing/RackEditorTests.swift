import Documents
import RackModel
import Testing

/// Edits of a rack file's entries.
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

  private typealias Edit = @Sendable (RackEditor, CheckedRack) throws -> CheckedRack

  private func edited(_ rack: CheckedRack, _ edits: Edit...) throws -> CheckedRack {
    try edits.reduce(rack) { try $1(RackEditor(checker), $0) }
  }

  private let row = """
    ring: { unit: aufx/ring/bkln }
    level: { unit: aufx/gain/bkln, bypass: true, parameters: { gain: -6 dB } }
    """

  @Test func aUnitIsPutIntoACable() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(
      rack,
      { try $0.add("tone", "Low-Pass Filter", into: "ring -> level", to: $1) })
    #expect(chains(after) == ["in -> ring -> tone -> level -> main"])
    #expect(after.plan.units.map(\.name) == ["ring", "level", "tone"])
    #expect(after.plan.cables.count == 4)
  }

  @Test func whatCameToARemovedUnitGoesOn() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    #expect(
      chains(try edited(rack, { try $0.remove("ring", from: $1) })) == ["in -> level -> main"])
    let parted = try self.rack(
      units: row + "\nmix: { unit: aumx/mixr/bkln, inputs: 2 }", "in -> ring", "other -> ring",
      "ring -> mix.2", "ring -> level", "in -> mix.1 -> main", "level -> main")
    let after = try edited(parted, { try $0.remove("ring", from: $1) })
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
      {
        try $0.map(
          Rack.Control(
            from: "keys cc 7", to: "level.gain", range: ["-20 dB", "0 dB"], mode: .toggle), in: $1)
      },
      { try $0.map(Rack.Control(from: "keys bend", to: "level.gain", picksUp: true), in: $1) },
      { try $0.map(Rack.Control(from: "keys cc 1", to: "ring.bypass"), in: $1) })
    #expect(mapped.plan.controls.map { "\($0.source)" } == ["cc 7", "bend", "cc 1"])
    #expect(mapped.file.controls[0].range?.map(\.value) == ["-20 dB", "0 dB"])
    #expect(mapped.plan.controls[1].picksUp)
    // A control with the same source and target replaces the first.
    let again = try edited(
      mapped,
      { try $0.map(Rack.Control(from: "keys cc 7", to: "level.gain", curve: .linear), in: $1) })
    #expect(again.plan.controls.map { "\($0.source)" } == ["cc 7", "bend", "cc 1"])
    #expect(again.file.controls[0].range == nil)
    // A control with the same meaning in other words, as learned, replaces it as well.
    for source in ["keys cc 7 channel 1", "keys  cc 7", "keys cc 7/39"] {
      let other = try edited(
        again, { try $0.map(Rack.Control(from: source, to: "level.gain"), in: $1) })
      #expect(other.file.controls.map(\.source?.value) == [source, "keys bend", "keys cc 1"])
      let back = try edited(
        other, { try $0.map(Rack.Control(from: "keys cc 7", to: "level.gain"), in: $1) })
      #expect(back.file.controls.map(\.source?.value) == again.file.controls.map(\.source?.value))
    }
    for source in ["keys cc 8", "keys cc 39", "keys note 7", "keys nrpn 7"] {
      let other = try edited(
        again, { try $0.map(Rack.Control(from: source, to: "level.gain"), in: $1) })
      #expect(other.file.controls.count == 4)
    }
    let channels = try edited(
      again, { try $0.map(Rack.Control(from: "keys bend channel 1", to: "ring.bypass"), in: $1) },
      { try $0.map(Rack.Control(from: "keys bend channel 2", to: "ring.bypass"), in: $1) })
    #expect(channels.file.controls.count == 5)
    #expect(
      try edited(again, { try $0.removeControls(of: "level.gain", from: nil, in: $1) }).file
        .controls.map(
          \.target?.value)
        == ["ring.bypass"])
    let both = try edited(
      mapped, { try $0.map(Rack.Control(from: "keys cc 8", to: "level.gain"), in: $1) },
      { try $0.removeControls(of: "level.gain", from: "keys cc 7", in: $1) })
    #expect(both.file.controls.map(\.source?.value) == ["keys bend", "keys cc 1", "keys cc 8"])
    let refusals: [(Edit, String)] = [
      (
        { try $0.removeControls(of: "level.gain", from: "keys cc 6", in: $1) },
        "“keys cc 6” does not move “level.gain”; did you mean “keys cc 7”?"
      ),
      (
        { try $0.removeControls(of: "level.gian", from: nil, in: $1) },
        "no control moves “level.gian”; did you mean “level.gain”?"
      ),
      (
        { try $0.map(Rack.Control(from: "kesy cc 1", to: "level.gain"), in: $1) },
        "did you mean “keys”?"
      ),
      (
        { try $0.map(Rack.Control(from: "keys cc 1", to: "level.gian"), in: $1) },
        "did you mean “level.gain”?"
      ),
      (
        { try $0.map(Rack.Control(from: "keys cc 1", to: "gain"), in: $1) },
        "did you mean “level.gain”?"
      ),
      (
        { try $0.map(Rack.Control(from: "keys cc 1", to: "level.gain", range: ["1 dB"]), in: $1) },
        "two values"
      ),
      (
        { try $0.map(Rack.Control(from: "keys cc 1", to: "scene none"), in: $1) },
        "there is no scene “none”"
      ),
    ]
    for (edit, reason) in refusals {
      let error = #expect(throws: Refusal.self) { try edited(mapped, edit) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
    }
  }

  /// Removing a unit bridges neither MIDI into a synth nor a cable from a named bus.
  @Test func whatCannotGoOnEnds() throws {
    let rack = try rack(
      units: "synth: { unit: aumu/sine/bkln }\nring: { unit: aufx/ring/bkln }",
      "keys -> synth -> main", "in -> ring -> main", "synth -> ring.carrier")
    #expect(
      chains(try edited(rack, { try $0.remove("synth", from: $1) })) == ["in -> ring -> main"])
    let after = try edited(rack, { try $0.remove("ring", from: $1) })
    #expect(chains(after) == ["keys -> synth -> main", "in -> main"])
  }

  @Test func aChainIsPartedWhereACableGoes() throws {
    let rack = try rack(
      units: row + "\nmix: { unit: aumx/mixr/bkln, inputs: 2 }",
      "in -> ring -> mix.2 -> level -> main")
    let after = try edited(rack, { try $0.disconnect("ring -> mix.2", in: $1) })
    #expect(chains(after) == ["in -> ring", "mix -> level -> main"])
    let back = try edited(after, { try $0.connect("ring -> mix.2", in: $1) })
    #expect(
      Swift.Set(back.plan.cables.map { "\($0.source) \($0.destination)" })
        == Swift.Set(rack.plan.cables.map { "\($0.source) \($0.destination)" }))
    #expect(
      chains(try edited(rack, { try $0.disconnect("mix -> level -> main", in: $1) })) == [
        "in -> ring -> mix.2"
      ])
  }

  @Test func onlyWhatIsNewIsConnected() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(rack, { try $0.connect("other -> ring -> level", in: $1) })
    #expect(chains(after) == ["in -> ring -> level -> main", "other -> ring"])
  }

  @Test func aRenamedUnitKeepsItsCablesAndSettings() throws {
    let rack = try rack(units: row, "in -> level -> ring.carrier", "in -> ring -> main")
    let after = try edited(
      rack, { try $0.rename("ring", to: "bell", in: $1) },
      { try $0.rename("level", to: "boost", in: $1) })
    #expect(chains(after) == ["in -> boost -> bell.carrier", "in -> bell -> main"])
    #expect(after.plan.units[1].isBypassed)
    #expect(after.plan.units[1].parameters.map(\.value) == [-6])
  }

  @Test func aReplacedUnitKeepsItsNameAndCables() throws {
    let rack = try rack(units: row, "in -> ring -> level -> main")
    let after = try edited(rack, { try $0.replace("level", by: "Low-Pass Filter", in: $1) })
    #expect(chains(after) == chains(rack))
    #expect(after.plan.units[1].component.description == "aufx/lpas/bkln")
    #expect(after.plan.units[1].parameters.isEmpty && after.plan.units[1].isBypassed)
  }

  @Test func whatCannotBeIsRefused() throws {
    let refusals: [(Edit, String)] = [
      (
        { try $0.remove("rng", from: $1) },
        "there is no unit “rng” in this rack; did you mean “ring”?"
      ),
      ({ try $0.rename("ring", to: "level", in: $1) }, "“level” is already the name of a unit"),
      ({ try $0.rename("ring", to: "main", in: $1) }, "“main” is already the name of a port"),
      ({ try $0.connect("in -> ring", in: $1) }, "“in -> ring” is connected already"),
      (
        { try $0.connect("in -> rng", in: $1) },
        "nothing in this rack is called “rng”; did you mean “ring”?"
      ),
      (
        { try $0.connect("in ring", in: $1) },
        "“in ring” has no arrow; a chain reads mic -> ring -> main"
      ),
      ({ try $0.connect("level -> ring", in: $1) }, "a loop: ring -> level -> ring"),
      ({ try $0.disconnect("in -> level", in: $1) }, "“in” is not connected to “level”"),
      ({ try $0.replace("ring", by: "Rign Modulator", in: $1) }, "did you mean “Ring Modulator”?"),
      ({ try $0.load(preset: "Slap", into: "ring", of: $1) }, "has no preset “Slap”"),
      (
        { try $0.add("a.b", "Gain", to: $1) },
        "“a.b” has a dot, which stands between a unit and its bus in chains"
      ),
      (
        { try $0.add("a", "Gain", into: "in -> level", to: $1) },
        "there is no cable “in -> level” in this rack"
      ),
      (
        { try $0.add("a", "Gain", into: "in -> ring -> level", to: $1) },
        "is more than one cable"
      ),
    ]
    let rack = try rack(units: row, "in -> ring -> level -> main")
    for (edit, reason) in refusals {
      let error = #expect(throws: Refusal.self) { try edited(rack, edit) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
    }
  }
}
