import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import Testing
import UnitModel

@Suite struct PresetLibraryTests {
  private let folder: TemporaryFolder
  private let delay: UnitFacts
  private var library: PresetLibrary {
    PresetLibrary(
      userFolder: folder.url.path + "/user", shippedFolder: folder.url.path + "/shipped")
  }
  private var userFolder: String { folder.url.path + "/user/aufx-dely-bkln" }

  init() throws {
    folder = try TemporaryFolder()
    delay = try #require(
      ComponentCatalogue().facts.first { $0.component.description == "aufx/dely/bkln" })
  }

  private func state(time: Float) -> UnitState {
    var state = UnitState(component: delay.component, version: delay.version)
    state.parameters = ["time": time]
    return state
  }

  private func names() -> [String] { library.presets(of: delay).entries.map(\.preset.name) }

  private func error(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
  }

  @Test func theUnitsOwnComeFirstThenShippedThenTheUsers() throws {
    let shipped = "\(folder.url.path)/shipped/aufx-dely-bkln"
    try Folder.make(shipped)
    let text = state(time: 0.5).written(for: delay)
    try WholeFile.write(Array(text.utf8), to: "\(shipped)/Hall.yaml")
    let first = try library.save(state(time: 0.1), as: "First", of: delay)
    let second = try library.save(state(time: 0.2), as: "A/second", of: delay)
    #expect(first == Preset(number: -1, name: "First"))
    #expect(second == Preset(number: -2, name: "A/second"))
    let own = delay.factoryPresets.map(\.name)
    #expect(!own.isEmpty && names() == own + ["Hall", "First", "A/second"])
    let listing = library.presets(of: delay)
    #expect(listing.entries.map(\.preset.number) == Array(0...own.count) + [-1, -2])
    #expect(listing.entry(numbered: -2)?.state.parameters == ["time": 0.2])
    #expect(listing.entry(named: "Hall")?.preset.number == own.count)
    #expect(listing.entry(named: own[0])?.state.values(for: delay).isEmpty == false)
  }

  /// A preset whose file contains no name has the file's name.
  @Test(arguments: [
    "A/B", "100%", "50%2F", "%", "%%2525", ".hidden", "..", "a.b", "Ä/ö", "/", "a%2fb", "%41",
    "end\u{600}", "👩‍👩‍👧/🇩🇪", "two words.yaml", ".yaml",
  ])
  func aNameIsFoundInItsFilesName(name: String) throws {
    try library.save(state(time: 0.3), as: name, of: delay)
    let file = try #require(Folder.names(in: userFolder).first { $0.utf8.first != 46 })
    let path = "\(userFolder)/\(file)"
    var state = state(time: 0.3)
    state.presetName = nil
    try WholeFile.write(Array(state.written(for: delay).utf8), to: path)
    let own = library.presets(of: delay).entries.filter(\.preset.isUserPreset)
    #expect(own.map { Array($0.preset.name.utf8) } == [Array(name.utf8)])
  }

  @Test func whatIsNoEscapeStays() throws {
    let text = state(time: 0.3).written(for: delay)
    try Folder.make(userFolder)
    for name in ["50% wet", "%4", "%GG", "x%41"] {
      try WholeFile.write(Array(text.utf8), to: "\(userFolder)/\(name).yaml")
    }
    let own = library.presets(of: delay).entries.filter(\.preset.isUserPreset)
    #expect(Set(own.map(\.preset.name)) == ["50% wet", "%4", "%GG", "x%41"])
  }

  @Test func numbersStayWhatTheyAre() throws {
    for name in ["a", "b", "c"] { try library.save(state(time: 0.1), as: name, of: delay) }
    try library.delete("b", of: delay)
    try library.rename("c", to: "z", of: delay)
    #expect(try library.save(state(time: 1), as: "d", of: delay).number == -4)
    #expect(
      try library.save(state(time: 2), as: "a", of: delay, replacing: true).number == -1)
    let listing = library.presets(of: delay)
    let own = listing.entries.filter(\.preset.isUserPreset)
    #expect(own.map(\.preset.name) == ["a", "z", "d"] && own.map(\.preset.number) == [-1, -3, -4])
    #expect(own[0].state.parameters == ["time": 2])
    #expect(Folder.names(in: userFolder) == ["a.yaml", "d.yaml", "z.yaml"])
  }

  @Test func whatCannotBeIsRefusedAndChangesNothing() throws {
    try library.save(state(time: 0.1), as: "Mine", of: delay)
    try library.save(state(time: 0.1), as: "Other", of: delay)
    let before = names()
    let shipped = delay.factoryPresets[0].name
    #expect(
      error { try library.save(state(time: 1), as: "Mine", of: delay) }
        == "there is a preset “Mine” already")
    #expect(
      error { try library.rename("Mine", to: "Other", of: delay) }
        == "there is a preset “Other” already")
    #expect(
      error { try library.save(state(time: 1), as: shipped, of: delay) }
        .contains("comes with the unit"))
    #expect(error { try library.delete(shipped, of: delay) }.contains("comes with the unit"))
    #expect(
      error { try library.delete("Mien", of: delay) }
        == "“Delay” has no preset “Mien”; did you mean “Mine”?")
    for name in ["", " ", "a\nb", " a", String(repeating: "ü", count: 100)] {
      #expect(
        error { try library.save(state(time: 1), as: name, of: delay) }
          .contains("is not a name for a preset"))
    }
    #expect(names() == before)
  }

  @Test func oddNamesAreFilesThatStayInTheFolder() throws {
    for name in ["../../up", ".hidden", "%2F", "a/b", "…", "null", "~"] {
      try library.save(state(time: 0.3), as: name, of: delay)
      #expect(try library.entry(named: name, of: delay).state.presetName == name)
    }
    #expect(Folder.names(in: userFolder).count == 7)
    #expect(Folder.names(in: folder.url.path) == ["user"])
  }

  @Test func aFileThatIsWrongIsToldOfAndLeftOut() throws {
    try Folder.make(userFolder)
    let texts = [
      "empty.yaml": "", "stranger.yaml": "unit: aufx/ring/bkln",
      "wrong.yaml": "{ unit: aufx/dely/bkln, parameters: { time: 3 dB } }",
      "twin.yaml": "{ preset: good, unit: aufx/dely/bkln }",
      "good.yaml": "{ unit: aufx/dely/bkln, parameters: { time: 1 s, later: 7 } }",
      "note.txt": "no preset",
    ]
    for (name, text) in texts {
      try WholeFile.write(Array(text.utf8), to: "\(userFolder)/\(name)")
    }
    try Folder.make("\(userFolder)/folder.yaml")
    let listing = library.presets(of: delay)
    #expect(listing.entries.filter(\.preset.isUserPreset).map(\.preset.name) == ["good"])
    let said = listing.diagnostics.map { "\($0)".replacing(userFolder + "/", with: "") }
    #expect(
      said == [
        "empty.yaml:1:1: error: the file is empty; a preset begins with “preset: NAME”",
        "folder.yaml:1:1: error: it is a folder",
        "good.yaml:1:50: warning: “Delay” has no parameter “later”; it is kept and does "
          + "nothing",
        "stranger.yaml:1:1: error: this is a preset of aufx/ring/bkln, not of aufx/dely/bkln",
        "twin.yaml:1:1: warning: there is another preset “good”; this one is left out",
        "wrong.yaml:1:45: error: “3 dB” is a level; “time” takes seconds (s, ms)",
      ])
    #expect(
      error { _ = try library.entry(named: "wrong", of: delay) }.contains("“3 dB” is a level"))
  }

  @Test func aPathIsTakenFromThePresetsFolder() throws {
    let player = try #require(
      ComponentCatalogue().facts.first { $0.component.description == "augn/play/bkln" })
    let presets = folder.url.path + "/user/augn-play-bkln"
    try Folder.make(presets)
    let text = "{ preset: Loop, unit: augn/play/bkln, properties: { file: loops/a.wav } }"
    try WholeFile.write(Array(text.utf8), to: "\(presets)/Loop.yaml")
    #expect(
      try library.entry(named: "Loop", of: player).state.properties
        == ["file": "\(presets)/loops/a.wav"])
  }

  @Test(.timeLimit(.minutes(10))) func changesByOthersAreNoticed() async throws {
    var changes = library.changes(of: delay.component).makeAsyncIterator()
    await changes.next()  // the first look
    // The first preset creates the folder. Several changes may be reported as one.
    for name in ["one", "two"] {
      try library.save(state(time: 0.1), as: name, of: delay)
      await changes.next()
      while !names().contains(name) { await changes.next() }
    }
    try library.delete("one", of: delay)
    await changes.next()
    #expect(names().last == "two")
  }

  @Test func eachPresetThatShipsIsRight() throws {
    let presets = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("presets").path
    let library = PresetLibrary(userFolder: folder.url.path, shippedFolder: presets)
    var files = 0
    for facts in ComponentCatalogue().facts {
      let listing = library.presets(of: facts)
      #expect(listing.diagnostics.isEmpty)
      for entry in listing.entries where entry.path != nil {
        files += 1
        #expect(entry.path?.hasSuffix("/\(entry.preset.name).yaml") == true)
        #expect(!entry.state.parameters.isEmpty)
      }
    }
    let shipped = Folder.names(in: presets).flatMap { Folder.names(in: "\(presets)/\($0)") }
    #expect(files > 0 && files == shipped.count)
  }
}
