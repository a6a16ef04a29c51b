import Documents
import Testing
import UnitModel

@testable import RackModel

/// What a song sets when it starts is not written into its rack's file.
@Suite struct SongValuesTests {
  private static var checker: RackChecker {
    RackChecker(catalogue: TestCatalogue.units, folder: "/") { _ in true }
  }
  private static let text = """
    rack: Song
    inputs: { in: }
    outputs: { out: }
    units:
      echo: { unit: Delay, parameters: { mix: 30 % } }
    connections: [ in -> echo -> out ]
    scenes:
      far: { echo.mix: 80 %, echo.time: 900 ms, echo.bypass: on }
    """

  private func rack() throws -> CheckedRack {
    try #require(Self.checker.open(Self.text.utf8, file: "song.yaml").rack)
  }

  private func value(_ keyPath: String, in rack: CheckedRack) -> Float? {
    TestCatalogue.delay.parameter(atKeyPath: keyPath, inputBusCount: 1).flatMap {
      rack.plan[.parameter(unit: 0, address: $0.address)]
    }
  }

  @Test func theSceneIsPlayedAndNotWritten() throws {
    let rack = try rack()
    let song = rack.starting(in: try #require(rack.plan.scenes.first))
    #expect(value("mix", in: song) == 80)
    #expect(song.plan.units[0].isBypassed)
    #expect(try RackFileWriter(Self.checker).write(song, into: rack) == Array(Self.text.utf8))
  }

  @Test func whatIsMovedInTheSongIsWritten() throws {
    let rack = try rack()
    var song = rack.starting(in: try #require(rack.plan.scenes.first))
    let mix = try #require(TestCatalogue.delay.parameter(atKeyPath: "mix", inputBusCount: 1))
    song.plan[.parameter(unit: 0, address: mix.address)] = 55
    song.plan[.bypass(unit: 0)] = 0
    let edited = try RackEditor(Self.checker).rename("echo", to: "slap", in: song)
    let written = try RackFileWriter(Self.checker).write(edited, into: rack)
    #expect(
      String(decoding: written, as: UTF8.self)
        == Self.text.replacing("echo", with: "slap").replacing("mix: 30 %", with: "mix: 55 %"))
  }

  /// A button of the scene is not pressed by the start of a song.
  @Test func buttonsAreNotPressed() throws {
    var rack = try rack()
    let index = try #require(
      rack.plan.units[0].facts.parameters.firstIndex { $0.identifier == "time" })
    rack.plan.units[0].facts.parameters[index].flags.insert(.momentary)
    let time = try #require(TestCatalogue.delay.parameter(atKeyPath: "time", inputBusCount: 1))
    var song = rack.starting(in: try #require(rack.plan.scenes.first))
    song.plan[.parameter(unit: 0, address: time.address)] = 1
    #expect(!song.plan.units[0].parameters.contains { $0.address == time.address })
    #expect(song.plan.units[0].parameters.contains { $0.keyPath == "mix" && $0.value == 80 })
  }
}
