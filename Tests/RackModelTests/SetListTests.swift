import Documents
import Foundation
import RackModel
import Testing

@Suite struct SetListTests {
  /// Racks by name; each has the scene “loud” and, but for “organ”, a MIDI input “pedals”.
  private static let racks = Dictionary(
    uniqueKeysWithValues: ["guitar", "voice", "organ"].map { name in
      (
        name,
        """
        rack: \(name)
        inputs: { \(name == "organ" ? "keys" : "mic: , pedals"): { midi: true } }
        outputs: { main: { channels: \(name == "organ" ? 2 : 1) } }
        units: { level: { unit: \(name == "organ" ? "aumu/sine/bkln" : "Gain") } }
        connections: [ \(name == "organ" ? "keys" : "mic") -> level -> main ]
        \(name == "organ" ? "" : "controls: [ { from: pedals program 9, to: scene loud } ]")
        scenes: { loud: { level.bypass: true } }
        """
      )
    })

  private func check(_ text: String) -> (list: CheckedSetList?, lines: [String]) {
    let checker = SetListChecker(
      locate: { $0.hasSuffix(".yaml") ? String($0.dropLast(5)) : $0 },
      load: { name in
        let racks = RackChecker(catalogue: TestCatalogue.units, folder: "/racks") { _ in false }
        guard let text = Self.racks[name] else {
          let start = SourcePosition(line: 1, column: 1)
          return (nil, [Diagnostic(file: name, position: start, message: "no such file")])
        }
        return racks.open(text.utf8, file: name)
      })
    let (list, diagnostics) = checker.check(text.utf8, file: "list")
    return (list, diagnostics.map(\.description))
  }

  @Test func aListIsReadWithItsRacks() throws {
    let (list, lines) = check(
      """
      setlist: Evening
      programs: { input: pedals, channel: 16, connect: "foot:out" }
      songs:
        First: { rack: guitar.yaml, program: 1 }
        Second: { rack: voice, scene: loud, program: 1, bank: 1/2 }
        Third: { rack: organ, program: 128, bank: 3 }
        Last: { rack: guitar }
      """)
    #expect(lines == [])
    let found = try #require(list)
    #expect(found.list.songs.map(\.name.value) == ["First", "Second", "Third", "Last"])
    #expect(found.racks.map { $0?.plan.name } == ["guitar", "voice", "organ", "guitar"])
    #expect(
      found.list.songs.map { $0.program?.description } == [
        "program 1 channel 16", "program 1 bank 1/2 channel 16", "program 128 bank 3 channel 16",
        nil,
      ])
    #expect(found.index(of: "Third") == 2 && found.index(of: "Thrid") == nil)
  }

  @Test func everythingThatIsWrongIsSaidAtOnce() {
    let (list, lines) = check(
      """
      setlist: Evening
      program: { input: pedals }
      programs: { channel: 17 }
      songs:
        First: { rack: guitar.yaml, program: 0 }
        Second: { program: 1 }
        Third: { rack: organ, bank: 3 }
        Fourth: { rack: organ, program: 2, bank: 1/2/3 }
        Fifth: { rack: organ, program: 3 }
        Sixth: { rack: organ, program: 3 }
        Seventh: organ
      """)
    #expect(list == nil)
    #expect(
      lines == [
        "list:2:1: error: a set list has no “program”; it has setlist, songs, programs; did you mean “programs”?",
        "list:3:22: error: “channel” must be 1 to 16, not 17",
        "list:5:40: error: “program” must be 1 to 128, not 0",
        "list:6:3: error: “Second” does not say which rack, as in rack: guitar.yaml",
        "list:7:31: error: a bank alone chooses no song; add a “program”",
        "list:8:44: error: “1/2/3” is not a bank; write 1 for the value of controller 0, or 1/2 with that of controller 32",
        "list:10:3: error: “Sixth” has the program of “Fifth”, program 3",
        "list:11:12: error: “Seventh” must be a map such as { rack: guitar.yaml, program: 1 }, not “organ”",
      ])
  }

  /// A file without songs is reported in one line.
  @Test func anEmptyListIsSaidToBe() {
    for text in ["", "# nothing\n"] {
      let (list, lines) = check(text)
      #expect(list == nil && lines.count == 1)
      #expect(lines.first?.contains("the file is empty; a set list begins with") == true)
    }
    let (list, lines) = check("setlist: Evening\nsongs: {}\n")
    #expect(list == nil && lines.count == 1)
    #expect(lines.first?.contains("error: the set list has no songs") == true)
  }

  @Test func wrongRacksAreSaidAndTheOthersPlay() throws {
    let (list, lines) = check(
      """
      setlist: Evening
      programs: { input: mic }
      songs:
        First: { rack: guitra }
        Second: { rack: voice, scene: lout, program: 2 }
        Third: { rack: organ }
      """)
    #expect(try #require(list).racks.map { $0?.plan.name } == [nil, "voice", "organ"])
    #expect(
      lines == [
        "list:2:20: error: “voice” uses the name “mic” for something else, so it receives no programs; "
          + "choose another name: programs: { input: NAME }",
        "list:4:18: error: the rack of “First” cannot be played",
        "list:5:33: error: “voice” has no scene “lout”; did you mean “loud”?",
        "guitra:1:1: error: no such file",
      ])
  }

  @Test func aPlanHearsTheProgramsAtTheInputThatTheListNames() throws {
    let text = """
      setlist: Evening
      programs: { input: pedals }
      songs: { First: { rack: guitar, program: 1 }, Second: { rack: organ, program: 2 } }
      """
    let list = try #require(check(text).list)
    let guitar = try #require(list.racks[0]).plan.listening(for: list.list)
    #expect(guitar.midiInputs.map(\.name) == ["pedals"])
    #expect(guitar.songCalls.map(\.song) == ["First", "Second"])
    let organ = try #require(list.racks[1]).plan.listening(for: list.list)
    #expect(organ.midiInputs.map(\.name) == ["pedals", "keys"])
    #expect(organ.midiCables.map(\.source) == [.port(1)])
    #expect(organ.songCalls.allSatisfy { $0.port == 0 })
  }

  @Test func theExampleInTheDocumentationIsRight() throws {
    let page = RackSchemaTests.page("docs/guide/set-lists.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let example =
      try #require(text.split(separator: "```yaml\n").dropFirst().first)
      .split(separator: "```").first ?? ""
    let (list, _) = check(String(example))
    #expect(list?.list.songs.count == 4)
    #expect(SetListChecker.isSetList(example.utf8))
    #expect(!SetListChecker.isSetList("rack: Guitar".utf8))
  }
}
