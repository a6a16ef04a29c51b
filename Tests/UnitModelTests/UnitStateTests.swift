import Foundation
import Testing
import UnitModel

@Suite struct UnitStateTests {
  static let delay = UnitFacts(
    component: ComponentDescription("aufx/dely/test")!, version: 0x0002_0103, name: "Delay",
    parameters: [
      ParameterInfo(
        identifier: "time", name: "Time", unit: .seconds, minimum: 0, maximum: 2,
        defaultValue: 0.375),
      ParameterInfo(
        identifier: "cutoff", group: "filter.tone", name: "Cutoff", unit: .hertz, minimum: 20,
        maximum: 20_000, defaultValue: 8000),
    ],
    properties: [PropertyInfo(identifier: "file", name: "File", kind: .path)])

  private func read(_ text: String) -> (UnitState?, [String]) {
    let (state, diagnostics) = UnitState.read(text.utf8, file: "p") { wanted in
      wanted == Self.delay.component ? Self.delay : nil
    }
    return (state, diagnostics.map(\.description))
  }

  @Test func readsWhatAPersonWrites() {
    let (state, said) = read(
      """
      preset: Slap "back"
      unit: aufx/dely/test
      version: 2.1.3
      number: -4
      parameters: { time: 120 ms, filter: { tone: { cutoff: 1.2 kHz } } }
      properties: { file: ../a.wav }
      """)
    #expect(said.isEmpty)
    #expect(state?.presetName == "Slap \"back\"" && state?.presetNumber == -4)
    #expect(state?.version == Self.delay.version)
    #expect(state?.parameters == ["time": 0.12, "filter.tone.cutoff": 1200])
    #expect(state?.values(for: Self.delay) == [0: 0.12, 1: 1200])
    #expect(state?.properties == ["file": "../a.wav"])
  }

  @Test func whatIsWrittenReadsBackTheSame() throws {
    var generator = SplitMix64(state: 7)
    for name in ["null", "", "~", "- a", "a: b", "ünï", "a\nb", "#1", "'", "\u{2028}", "12", "on"] {
      var state = UnitState(component: Self.delay.component, version: 0x0001_0000)
      (state.presetName, state.presetNumber) = (name, -1)
      state.parameters["time"] = Float.random(in: 0...2, using: &generator)
      state.parameters["filter.tone.cutoff"] = Float.random(in: 20...20_000, using: &generator)
      state.properties["file"] = "/tmp/\(name)"
      state.unknownParameters["later"] = "3 furlongs"
      let text = state.written(for: Self.delay)
      let (back, said) = read(text)
      #expect(back == state, "\(text)\(said)")
    }
  }

  @Test func whatALaterVersionWroteIsKept() throws {
    let (state, said) = read(
      """
      preset: Future
      unit: aufx/dely/test
      parameters: { time: 1 s, timx: 7 }
      colours: [red, { nested: null, list: [1, 2] }]
      """)
    #expect(
      said == [
        "p:3:26: warning: “Delay” has no parameter “timx”; it is kept and does nothing; "
          + "did you mean “time”?"
      ])
    let text = try #require(state?.written(for: Self.delay))
    #expect(read(text).0 == state)
    #expect(text.contains("colours") && text.contains("nested") && text.contains("timx: 7"))
  }

  @Test func ofAUnitThatIsNotThereEverythingIsKept() throws {
    let (state, said) = read("{ unit: aufx/gone/test, parameters: { a: 1 dB, b: { c: x } } }")
    #expect(said.isEmpty)
    #expect(state?.unknownParameters == ["a": "1 dB", "b.c": "x"])
  }

  @Test(
    arguments: [
      ("", "p:1:1: error: the file is empty; a preset begins with “preset: NAME”"),
      ("- a", "p:1:1: error: a preset is a map that begins with “preset: NAME”, not a list"),
      (
        "preset: A",
        "p:1:1: error: the preset does not say which unit it is for, as in unit: aufx/dely/bkln"
      ),
      (
        "unit: aufx/*/test",
        "p:1:7: error: “aufx/*/test” is not a unit; write type/subtype/manufacturer, as in "
          + "aufx/dely/bkln, or lv2:URI"
      ),
      (
        "{ unit: aufx/dely/test, version: 1.x }",
        "p:1:34: error: “1.x” is not a version; write it like 1.0.0, up to 65535.255.255"
      ),
      (
        "{ unit: aufx/dely/test, parameters: { time: 3 dB } }",
        "p:1:45: error: “3 dB” is a level; “time” takes seconds (s, ms)"
      ),
      (
        "{ unit: aufx/dely/test, number: one }",
        "p:1:33: error: “number” must be a whole number, not “one”"
      ),
    ])
  func saysWhatIsWrong(text: String, message: String) {
    let (state, said) = read(text)
    #expect(state == nil && said == [message])
  }

  @Test(
    arguments: [
      ("1", 0x0001_0000 as UInt32), ("1.2", 0x0001_0200), ("12.34.56", 0x000C_2238), ("1.256", nil),
      ("", nil), ("1..2", nil), ("-1", nil), ("1.2.3.4", nil),
    ] as [(String, UInt32?)])
  func readsVersions(text: String, version: UInt32?) {
    #expect(UnitFacts.version(written: text) == version)
  }

  @Test func aStateIsEncodedWhole() throws {
    let text = """
      preset: Long hall
      unit: aufx/dely/bkln
      version: 1.0.0
      number: -3
      parameters: { time: 900 ms, warp: much }
      properties: { file: a.wav }
      later: { than: this, list: [1, 2] }
      """
    let state = try #require(
      UnitState.read(text.utf8, file: "a.yaml") { _ in Self.delay }.state)
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(UnitState.self, from: data) == state)
    #expect(String(decoding: data, as: UTF8.self).contains(#""component":"aufx\/dely\/bkln""#))
  }
}
