import Documents
import RackModel
import Testing
import UnitModel

/// Presets that are deleted or renamed while a rack uses them.
struct LostPresetTests {
  private func checker(_ presets: [UnitState]) -> RackChecker {
    RackChecker(
      catalogue: TestCatalogue.units, folder: "/racks",
      presets: { facts in facts.component == TestCatalogue.delay.component ? presets : [] },
      fileExists: { _ in true })
  }

  @Test func aRackIsEditedWithTheValuesThatItsUnitsHave() throws {
    let time = try #require(
      TestCatalogue.delay.parameter(atKeyPath: "time", inputBusCount: 1)?.address)
    let mix = try #require(
      TestCatalogue.delay.parameter(atKeyPath: "mix", inputBusCount: 1)?.address)
    let hall = UnitState(
      TestCatalogue.delay, values: [time: 0.4, mix: 20], presetName: "My hall")
    let text = """
      rack: Halls
      inputs: { in: }
      outputs: { out: }
      units:
        echo: { unit: Delay, preset: My hall, parameters: { mix: 30 % } }
        level: { unit: Gain }
      connections: [ in -> echo -> level -> out ]
      """
    let rack = try #require(checker([hall]).open(text.utf8, file: "halls").rack)
    #expect(rack.withoutLostPresets(checker([hall])) == rack)

    let lost = checker([])
    let edited = try RackEditor(lost).rename(
      "level", to: "volume", in: rack.withoutLostPresets(lost))
    #expect(edited.plan.units.map(\.name) == ["echo", "volume"])
    #expect(edited.plan.units[0].presetName == nil)
    #expect(edited.plan.units[0].values == rack.plan.units[0].values)
    let written = try RackFileWriter(lost).write(edited, into: rack)
    #expect(
      String(decoding: written, as: UTF8.self)
        == text.replacing(
          "preset: My hall, parameters: { mix: 30 %", with: "parameters: { mix: 30 %, time: 400 ms"
        )
        .replacing("level", with: "volume"))
  }

  /// On another machine, or after the preset was changed, the rack sounds as it was saved.
  @Test func aSavedRackHoldsTheValuesOfPresets() throws {
    let time = try #require(
      TestCatalogue.delay.parameter(atKeyPath: "time", inputBusCount: 1)?.address)
    let mix = try #require(
      TestCatalogue.delay.parameter(atKeyPath: "mix", inputBusCount: 1)?.address)
    func hall(time seconds: Float) -> UnitState {
      UnitState(TestCatalogue.delay, values: [time: seconds, mix: 20], presetName: "My hall")
    }
    let text = """
      rack: Halls
      inputs: { in: }
      outputs: { out: }
      units:
        echo: { unit: Delay, preset: My hall, parameters: { mix: 30% } }
        other: { unit: Delay, preset: My hall } # as it is
        tone: { unit: Distortion, preset: Alien Chatter }
      connections: [ in -> echo -> other -> tone -> out ]
      """
    let own = checker([hall(time: 0.4)])
    let rack = try #require(own.open(text.utf8, file: "halls").rack)
    let written = try RackFileWriter(own).write(rack, into: rack)
    let saved = String(decoding: written, as: UTF8.self)
    #expect(
      saved.contains("{ unit: Delay, preset: My hall, parameters: { mix: 30%, time: 400 ms } }"))
    #expect(saved.contains("{ unit: Distortion, preset: Alien Chatter }"))
    for presets in [[], [hall(time: 0.7)]] {
      let (other, diagnostics) = checker(presets).open(written, file: "halls")
      let parameters = try #require(other).plan.units.map(\.parameters)
      #expect(parameters == rack.plan.units.map(\.parameters))
      #expect(
        diagnostics.map(\.severity)
          == [Diagnostic.Severity](repeating: .warning, count: presets.isEmpty ? 2 : 0))
    }
    // A file that contains the values already is not changed again.
    let again = try #require(own.open(written, file: "halls").rack)
    #expect(try RackFileWriter(own).write(again, into: again) == written)
  }
}
