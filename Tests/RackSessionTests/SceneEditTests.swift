import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Scenes that are stored, renamed and removed while a rack plays, and several values as one step.
  @Suite(.serialized) struct SceneEdits {
    private static let rack = """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln, parameters: { gain: -3 dB } }
        echo: { unit: aufx/dely/bkln, parameters: { time: 90 ms, mix: 30 % } }
      connections: [ in -> level -> echo -> out ]
      controls:
        - { from: keys program 1, to: scene soft }   # left pedal
      # What the singer calls for.
      scenes:
        soft: { level.gain: -9dB }   # the verse
        # The chorus.
        loud:
          over: 20 ms   # quick
          echo.mix: 40%

      """

    private func scenes(_ rig: SessionRig) async -> [String] {
      await rig.session.rack.file.scenes.map { scene in
        "\(scene.name.value):"
          + scene.values.map { " \($0.key.value)=\($0.value.value)" }.joined()
      }
    }

    private func set(_ parameter: String, _ value: String) -> String {
      "set \"\(parameter)\" \(value)"
    }

    @Test func aSceneStoresWhatIsHeard() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let before = await scenes(rig)
        try await rig.perform(
          "scene soft", set("echo.time", "200 ms"), set("level.bypass", "on"), "store-scene solo")
        // The scene stores all values that any scene sets, and all that were moved; other scenes get the
        // former values of the latter.
        #expect(
          await scenes(rig) == [
            "soft: level.gain=-9dB level.bypass=off echo.time=90 ms",
            "loud: echo.mix=40% level.bypass=off echo.time=90 ms",
            "solo: level.gain=-9dB echo.mix=30% level.bypass=on echo.time=200 ms",
          ])
        #expect(await rig.session.state.scene == "solo")
        #expect(await rig.session.state.isSceneChanged == false)
        try await rig.perform("scene soft")
        #expect(try await rig.text(of: "echo.time") == "90 ms")
        #expect(try await rig.text(of: "level.bypass") == "off")
        try await rig.perform("scene solo")
        #expect(try await rig.text(of: "echo.time") == "200 ms")
        try await rig.perform("undo", "undo", "undo")
        #expect(await scenes(rig) == before)
        #expect(try await rig.text(of: "echo.time") == "200 ms")
      }
    }

    @Test func aSceneIsStoredAgain() async throws {
      try await SessionRig.run(Self.rack) { rig in
        try await rig.perform(
          "scene loud", set("echo.mix", "55 %"), "store-scene loud --over \"1 s\"")
        #expect(await scenes(rig).last == "loud: echo.mix=55% level.gain=-3dB")
        #expect(await rig.session.rack.plan.scenes.last?.time == 1)
        // A ramping value is stored as its target.
        try await rig.perform(set("echo.mix", "5 %"), "scene loud", "store-scene loud")
        #expect(await scenes(rig).last == "loud: echo.mix=55% level.gain=-3dB")
      }
    }

    /// The moves since the scene started are kept through undo and a rename.
    @Test func whatWasMovedIsKnownAfterUndo() async throws {
      try await SessionRig.run(Self.rack) { rig in
        try await rig.perform(set("echo.time", "200 ms"), "store-scene solo")
        let stored = await scenes(rig)
        #expect(stored.last?.contains("echo.time=200 ms") == true)
        try await rig.perform("undo")
        #expect(await rig.session.state.scene == nil)
        try await rig.perform("store-scene solo")
        #expect(await scenes(rig) == stored)
        // Redo restores the start of a scene as well.
        try await rig.perform("undo", "redo")
        #expect(await rig.session.state.scene == "solo")
        #expect(await rig.session.state.isSceneChanged == false)
        try await rig.perform(
          set("level.bypass", "on"), "rename-scene solo lead", "remove level", "undo",
          "store-scene lead")
        #expect(await scenes(rig).last?.contains("level.bypass=on") == true)
      }
    }

    /// A unit that was added since counts only its own moves.
    @Test func aNewUnitIsNotMoved() async throws {
      try await SessionRig.run(Self.rack) { rig in
        try await rig.perform(
          "add more Delay --preset Slapback --into \"echo -> out\"", set("more.mix", "1 %"),
          "rename more tape", "store-scene solo")
        #expect(
          await scenes(rig).last == "solo: level.gain=-3dB echo.mix=30% tape.mix=1 %")
      }
    }

    @Test func scenesAreRenamedAndRemovedWithTheirControls() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let first = try await rig.state()
        try await rig.perform("scene soft", "rename-scene soft verse")
        #expect(await rig.session.listing().scenes == ["verse", "loud"])
        #expect(await rig.session.listing().controls.map(\.to) == ["scene verse"])
        #expect(await rig.session.state.scene == "verse")
        try await rig.perform("remove-scene verse")
        #expect(await rig.session.listing().scenes == ["loud"])
        #expect(await rig.session.listing().controls.isEmpty)
        try await rig.perform("undo", "undo", "undo")
        #expect(try await rig.state() == first)
      }
    }

    @Test(arguments: [
      ("rename-scene sotf a", "did you mean “soft”?"),
      ("rename-scene soft loud", "“loud” is already the name of a scene"),
      ("rename-scene soft \"\"", "a name cannot be empty"),
      ("remove-scene luod", "did you mean “loud”?"),
      ("store-scene \" x\"", "begins or ends with a space"),
      ("store-scene soft --over \"9 Hz\"", "“9 Hz” is a frequency"),
      ("set-all echo.mix=1 %, level.gian=1 dB", "did you mean “level.gain”?"),
    ])
    func aRefusalChangesNothing(command: String, reason: String) async throws {
      try await SessionRig.run(Self.rack) { rig in
        let first = try await rig.state()
        let error = await #expect(throws: Refusal.self) { try await rig.perform(command) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
        #expect(try await rig.state() == first)
      }
    }

    @Test func whatIsStoredIsSavedBesideTheComments() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("test.yaml", bytes: Array(Self.rack.utf8))
      try await SessionRig.run(Self.rack, file: file) { rig in
        try await rig.perform(
          "scene loud", set("echo.mix", "55 %"), set("level.bypass", "on"), "store-scene loud",
          "rename-scene soft verse", "store-scene soft --over \"2 s\"", "save")
      }
      let written = try String(contentsOfFile: file, encoding: .utf8)
      let scenes = Self.rack.replacingOccurrences(of: "mix: 30 %", with: "mix: 55 %")
        .replacingOccurrences(of: "scene soft }", with: "scene verse }")
        .replacingOccurrences(
          of: "soft: { level.gain: -9dB }",
          with: "verse: { level.gain: -9dB, level.bypass: off }"
        )
        .replacingOccurrences(
          of: "echo.mix: 40%\n",
          with: "echo.mix: 55%\n    level.gain: -3dB\n    level.bypass: on\n"
            + "  soft:\n    over: 2 s\n    level.gain: -3dB\n    level.bypass: on\n    echo.mix: 55%\n"
        )
        .replacingOccurrences(
          of: "{ gain: -3 dB } }", with: "{ gain: -3 dB }, bypass: true }")
      #expect(written == scenes)
    }

    @Test func severalValuesAreOneStep() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let first = try await rig.state()
        try await rig.perform(
          "set-all echo.mix=1 %, level.gain=-20, echo.bypass=on, echo.time=1 s")
        #expect(await rig.session.state.undo == "echo.mix and 3 more set")
        #expect(try await rig.text(of: "level.gain") == "-20 dB")
        try await rig.perform("undo")
        #expect(try await rig.state() == first)
      }
    }

    @Test func presetsOfOnesOwnComeAndGo() async throws {
      let folder = try TemporaryFolder()
      let library = PresetLibrary(userFolder: folder.url.path)
      let sources = RackSources(
        checker: { folder in
          RackChecker(
            catalogue: TestRacks.catalogue, folder: folder,
            presets: { library.presets(of: $0).entries.map(\.state) }, fileExists: { _ in true })
        }, load: { _ in (nil, []) })
      try await SessionRig.run(Self.rack, sources: sources) { rig in
        let echo = try #require(await rig.engine.engine.audioUnit(named: "echo"))
        echo.presetLibrary = library
        try await rig.perform(set("echo.mix", "34.5 %"))
        try await rig.perform("save-preset echo Mine")
        #expect(await rig.session.listing().units.last?.preset == "Mine")
        #expect(try await rig.text(of: "echo.mix") == "34.5 %")
        try await rig.perform(set("echo.mix", "1 %"))
        for (preset, unit, reason) in [
          ("Mine", "echo", "“replace” replaces it"), ("Slapback", "echo", "comes with the unit"),
          ("Mine", "ecoh", "did you mean “echo”?"), (" ", "echo", "not a name for a preset"),
        ] {
          await #expect { try await rig.perform("save-preset \(unit) \"\(preset)\"") } throws: {
            "\($0)".contains(reason)
          }
        }
        #expect(
          library.presets(of: echo.facts).entry(named: "Mine")?.state.parameters["mix"] == 34.5)
        try await rig.perform("save-preset echo Mine --replace")
        #expect(library.presets(of: echo.facts).entry(named: "Mine")?.state.parameters["mix"] == 1)
        await #expect { try await rig.perform("delete-preset echo Mien") } throws: {
          "\($0)".contains("did you mean “Mine”?")
        }
        try await rig.perform("delete-preset echo Mine")
        #expect(library.presets(of: echo.facts).entry(named: "Mine") == nil)
        #expect(try await rig.text(of: "echo.mix") == "1 %")
        #expect(await rig.session.listing().units.last?.preset == nil)
        try await rig.perform("undo")
        #expect(try await rig.text(of: "echo.mix") == "1 %")
      }
    }
  }
}
