import Documents
import Testing
import UnitModel

@testable import RackModel

/// Racks with units that are not found.
@Suite struct MissingUnitTests {
  private static let text = """
    rack: Night   # the second set
    inputs: { mic: , keys: { midi: true }, pedals: { midi: true } }
    outputs: { main: }
    units:
      ring: { unit: aufx/ring/bkln }
      fuzz:   # lent to the other band
        unit: aufx/fuzz/acme
        preset: Nobody knows
        parameters: { gain: 11, colour: { red: 3 } }
        properties: { file: nowhere.wav }
        bypass: true
      echo: { unit: aufx/dely/bkln }
      organ: { unit: Lost Organ, parameters: { drawbars: 888000000 } }
      mix: { unit: aumx/mixr/bkln, inputs: 3 }
    connections:
      - mic -> ring -> fuzz -> echo -> mix.1
      - keys -> organ -> mix.2
      - ring -> fuzz.sidechain
      - mix -> main
    controls:
      - { from: pedals cc 1, to: fuzz.gain }
      - { from: pedals cc 2, to: ring.frequency }
    scenes:
      loud: { fuzz.gain: 12, ring.frequency: 40 Hz }
    """

  private static func open(
    _ text: String, catalogue: [UnitFacts] = TestCatalogue.units, mayMiss: Bool = true
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    var checker = RackChecker(catalogue: catalogue, folder: "/") { _ in false }
    checker.mayMiss = { _ in mayMiss }
    return checker.open(Array(text.utf8), file: "night.yaml")
  }

  private static func cables(of plan: Plan) -> [String] {
    func name(_ end: Endpoint, _ ports: [Port]) -> String {
      switch end {
      case .port(let port): ports[port].name
      case .unit(let unit, let bus): "\(plan.units[unit].name).\(bus + 1)"
      }
    }
    return plan.cables.map {
      "\(name($0.source, plan.inputs)) -> \(name($0.destination, plan.outputs))"
    }
  }

  @Test func itIsPassedByAndTheRestPlays() throws {
    let (opened, diagnostics) = Self.open(Self.text)
    let rack = try #require(opened)
    #expect(rack.plan.units.map(\.name) == ["ring", "echo", "mix"])
    #expect(rack.plan.missing.map(\.name) == ["fuzz", "organ"])
    #expect(rack.plan.missing.map(\.unit) == ["aufx/fuzz/acme", "Lost Organ"])
    #expect(
      Self.cables(of: rack.plan)
        == ["mic -> ring.1", "ring.1 -> echo.1", "echo.1 -> mix.1", "mix.1 -> main"])
    // MIDI into a missing instrument does not continue as audio.
    #expect(rack.plan.midiCables.isEmpty)
    #expect(rack.plan.controls.count == 1 && rack.plan.scenes[0].values.count == 1)
    let warnings = diagnostics.filter { $0.message.contains("passes its input through") }
    #expect(warnings.map(\.severity) == [.warning, .warning])
    #expect(warnings.map(\.position.line) == [7, 13])
  }

  @Test func aMixerIsPassedByFromAllItsInputs() throws {
    let text = """
      rack: Night
      inputs: { mic: , other: }
      outputs: { main: }
      units: { ring: { unit: aufx/ring/bkln }, sum: { unit: aumx/gone/acme, inputs: 2 } }
      connections:
        - mic -> ring -> sum.1
        - other -> sum.2 -> main
      """
    let rack = try #require(Self.open(text).rack)
    #expect(
      Set(Self.cables(of: rack.plan)) == ["mic -> ring.1", "ring.1 -> main", "other -> main"])
    var checker = RackChecker(catalogue: TestCatalogue.units, folder: "/") { _ in false }
    checker.mayMiss = { _ in true }
    #expect(throws: Refusal("“sum” is missing, so its cables stay as they are")) {
      try RackEditor(checker).connect("sum -> ring.carrier", in: rack)
    }
  }

  /// A player without its sound file plays silence, as a missing unit does.
  @Test func aMissingSoundFileIsAWarning() throws {
    let text = """
      rack: Loop
      outputs: { main: }
      units:
        loop: { unit: augn/play/bkln, properties: { file: lost.wav } }
      connections: [ loop -> main ]
      """
    var checker = RackChecker(catalogue: TestCatalogue.units, folder: "/") { _ in false }
    #expect(checker.open(Array(text.utf8), file: "r.yaml").rack == nil)
    checker.allowsMissingFiles = true
    let (rack, diagnostics) = checker.open(Array(text.utf8), file: "r.yaml")
    #expect(try #require(rack, "\(diagnostics)").plan.units[0].properties.isEmpty)
    #expect(
      diagnostics.map(\.description).contains(
        "r.yaml:4:53: warning: there is no file “/lost.wav”; “loop” plays without it"))
  }

  @Test func offTheStageItIsAnError() {
    let (rack, diagnostics) = Self.open(Self.text, mayMiss: false)
    #expect(rack == nil)
    #expect(diagnostics.contains { $0.severity == .error && $0.position.line == 7 })
  }

  @Test func otherErrorsStayErrors() {
    let wrong = Self.text.replacing("ring.frequency: 40 Hz", with: "ring.frequency: 40 dB")
    let (rack, diagnostics) = Self.open(wrong)
    #expect(rack == nil)
    #expect(diagnostics.filter { $0.severity == .error }.map(\.position.line) == [24])
  }

  @Test func nothingOfItIsLostInAnEditOrInTheFile() throws {
    let base = try #require(Self.open(Self.text).rack)
    var checker = RackChecker(catalogue: TestCatalogue.units, folder: "/") { _ in false }
    checker.mayMiss = { base.plan.missing.map(\.unit).contains($0) }
    let edited = try RackEditor(checker).rename("echo", to: "tail", in: base)
    #expect(edited.plan.missing.map(\.name) == ["fuzz", "organ"])
    var live = edited
    let ring = try #require(live.plan.units.firstIndex { $0.name == "ring" })
    live.plan.units[ring].isBypassed = true
    let bytes = try RackFileWriter(checker).write(live, into: base)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == Self.text.replacing("echo", with: "tail")
        .replacing("aufx/ring/bkln }", with: "aufx/ring/bkln, bypass: true }"))
  }

  @Test func onceItIsThereTheRackIsWhole() throws {
    var fuzz = TestCatalogue.ring
    fuzz.component = try #require(ComponentDescription("aufx/fuzz/acme"))
    let text = Self.text.split(separator: "\n").filter {
      !["preset: Nobody", "parameters: { gain", "properties:", "fuzz.", "organ"].contains(
        where: $0.contains)
    }.joined(separator: "\n")
    let missing = try #require(Self.open(text + "\n  quiet: { ring.bypass: true }").rack)
    #expect(missing.plan.missing.map(\.name) == ["fuzz"])
    let whole = try #require(
      Self.open(text + "\n  quiet: { ring.bypass: true }", catalogue: TestCatalogue.units + [fuzz])
        .rack)
    #expect(whole.plan.missing.isEmpty)
    #expect(whole.plan.units.map(\.name) == ["ring", "fuzz", "echo", "mix"])
    #expect(missing.plan.missing[0].isMet(by: fuzz.component, called: fuzz.name))
  }
}
