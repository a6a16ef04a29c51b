import AudioUnits
import BacklineTestSupport
import Observation
import Testing
import UnitModel

/// Units load, save and morph presets.
@Suite struct AudioUnitPresetTests {
  private let folder: TemporaryFolder
  private let library: PresetLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = PresetLibrary(userFolder: folder.url.path)
  }

  private func delay() async throws -> AudioUnit {
    let unit = try await AudioUnit.instantiate(
      try #require(ComponentDescription("aufx/dely/bkln")), catalogue: ComponentCatalogue())
    unit.presetLibrary = library
    return unit
  }

  @Test func aFactoryPresetIsLoadedWhole() async throws {
    let unit = try await delay()
    let preset = try #require(unit.factoryPresets.first { $0.name == "Dub" })
    try unit.setParameter(0, to: 1)
    try unit.setCurrentPreset(preset)
    #expect(unit.currentPreset == preset)
    let expected = unit.facts.factoryPreset(named: "Dub")?.values ?? [:]
    for (address, value) in expected { #expect(unit.parameterValues[address] == value) }
    #expect(unit.fullState.presetName == "Dub")
    try unit.setCurrentPreset(nil)
    #expect(unit.currentPreset == nil && unit.parameterValues[0] == expected[0])
  }

  @Test func whoObservesThePresetsIsTold() async throws {
    let (watching, saving) = (try await delay(), try await delay())
    for change in 0..<2 {
      let told = AsyncStream.makeStream(of: Void.self)
      let before = withObservationTracking {
        watching.userPresets.count
      } onChange: {
        told.continuation.finish()
      }
      if change == 0 {
        try saving.saveUserPreset(named: "Mine")
      } else {
        try saving.deleteUserPreset(Preset(number: -1, name: "Mine"))
      }
      for await _ in told.stream {}
      try await eventually("it has them") { watching.userPresets.count == 1 - before }
    }
    let told = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = watching.userPresets
    } onChange: {
      told.continuation.finish()
    }
    try watching.saveUserPreset(named: "Own")
    for await _ in told.stream {}
  }

  @Test func whatIsSavedIsCurrentAndComesBack() async throws {
    let unit = try await delay()
    try unit.setParameter(0, to: 0.9)
    try unit.saveUserPreset(named: "Mine")
    #expect(unit.currentPreset == Preset(number: -1, name: "Mine"))
    let other = try await delay()
    #expect(other.userPresets.map(\.name) == ["Mine"])
    let preset = try #require(other.userPresets.first)
    #expect(try other.presetState(for: preset).parameters["time"] == 0.9)
    #expect(other.parameterValues[0] != 0.9)
    try other.setCurrentPreset(preset)
    #expect(other.fullState == unit.fullState)
    try other.deleteUserPreset(preset)
    #expect(other.currentPreset == nil && other.userPresets.isEmpty)
    #expect(throws: PresetError.self) { try unit.setCurrentPreset(preset) }
    #expect(unit.parameterValues[0] == 0.9 && unit.currentPreset?.name == "Mine")
  }

  /// A gain that morphs from -40 dB to 0 dB in a second is at -20 dB in the middle.
  @Test func aMorphIsHeardAsARamp() async throws {
    var rig = try await UnitRig("aufx/gain/bkln") { try $0.setParameter(0, to: -40) }
    let unit = rig.unit
    var end = UnitState(unit.facts, values: [0: 0], presetName: "Unity")
    end.presetNumber = 3
    try unit.morph(to: end, from: 480, frames: 48_000)
    #expect(unit.currentPreset == Preset(number: 3, name: "Unity"))
    let ones = [Float](repeating: 1, count: 49_000)
    let heard = try rig.render([[ones, ones]], frames: 49_000)[0]
    #expect(abs(heard[0] - 0.01) < 1e-5)
    #expect(abs(heard[480 + 24_000] - 0.1) < 1e-4)
    #expect(abs(heard[48_999] - 1) < 1e-5)
    #expect(unit.parameterValues[0] == 0)
  }

  @Test func aMorphToAnotherUnitsStateIsRefused() async throws {
    let unit = try await delay()
    let stranger = UnitState(
      component: try #require(ComponentDescription("aufx/gain/bkln")), version: 1)
    #expect(throws: AudioUnitError.self) { try unit.morph(to: stranger, from: 0, frames: 10) }
  }
}
