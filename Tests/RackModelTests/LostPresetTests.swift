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
    #expect(rack.keepingLostPresets(checker([hall])) == rack)

    let lost = checker([])
    #expect(throws: Refusal.self) {
      try RackEditor(lost).apply(.rename(name: "level", to: "volume"), to: rack)
    }
    let edited = try RackEditor(lost).apply(
      .rename(name: "level", to: "volume"), to: rack.keepingLostPresets(lost))
    #expect(edited.plan.units.map(\.name) == ["echo", "volume"])
    #expect(edited.plan.units[0].presetName == nil)
    #expect(edited.plan.units[0].parameters == rack.plan.units[0].parameters)
    let echo = edited.file.units[0]
    #expect(echo.preset == nil)
    #expect(echo.parameters.map(\.key.value) == ["mix", "time"])
    #expect(echo.parameters.map(\.value.value) == ["30 %", "400 ms"])
  }
}
