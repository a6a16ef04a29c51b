import Documents
import Testing
import UnitModel

@testable import RackModel

@Suite struct PlanTests {
  static func check(_ text: String) -> (Plan?, [Diagnostic]) {
    var checker = RackChecker(catalogue: TestCatalogue.units, folder: "/music/racks") {
      $0 == "/music/racks/../loop.wav"
    }
    checker.targets = TestTargets.all
    return checker.check(Array(text.utf8), file: "rack.yaml")
  }

  static func plan(_ text: String) throws -> Plan {
    let (plan, diagnostics) = check(text)
    #expect(diagnostics.map(\.description) == [])
    return try #require(plan)
  }

  static let everything = """
    rack: Dalek voice
    inputs:
      mic:  { channels: 1, connect: "system:capture_1" }
      keys: { midi: true, connect: ["a2j:one", "a2j:two"] }
    outputs:
      main: { connect: ["system:playback_1", ["system:playback_2", "rec:in"]] }
    units:
      ring:  { unit: aufx/ring/bkln, channels: 2, parameters: { frequency: 30, shape: Sine } }
      crush: { unit: "*/dist/*", preset: Alien Chatter, parameters: { mix: 50 % }, bypass: on }
      echo:  { unit: aufx/dely/bkln }
      synth: { unit: Sine Instrument, parameters: { envelope: { attack: 20 ms } } }
      drums: { unit: augn/play/bkln, properties: { file: ../loop.wav }, channels: 1 }
      mix:
        unit: aumx/mixr/bkln
        inputs: 3
        parameters:
          master: -3 dB
          2: { gain: -6 dB }
          3.pan: L50
    connections:
      - mic -> ring -> crush -> echo -> mix.1
      - keys -> synth -> mix.2 -> main
      - "drums->mix.3"
      - echo ~> ring.carrier
    """

  @Test func aWholeRackBecomesAPlan() throws {
    let plan = try Self.plan(Self.everything)
    #expect(plan.name == "Dalek voice")
    #expect(
      plan.inputs == [Port(name: "mic", channelCount: 1, autoConnect: [["system:capture_1"]])])
    #expect(
      plan.midiInputs
        == [Port(name: "keys", channelCount: 1, autoConnect: [["a2j:one", "a2j:two"]])])
    #expect(
      plan.outputs == [
        Port(
          name: "main", channelCount: 2,
          autoConnect: [["system:playback_1"], ["system:playback_2", "rec:in"]])
      ])
    #expect(plan.outputs.first?.channelNames == ["main_1", "main_2"])
    #expect(plan.inputs.first?.channelNames == ["mic"])
    #expect(plan.units.map(\.name) == ["ring", "crush", "echo", "synth", "drums", "mix"])
    #expect(plan.units.map(\.component.description).dropFirst().first == "aufx/dist/bkln")
    #expect(plan.units.map(\.isBypassed) == [false, true, false, false, false, false])
    #expect(plan.units[1].presetName == "Alien Chatter")
    #expect(
      plan.midiCables.map { "\($0.source) \($0.destination)" } == ["port(0) unit(3, bus: 0)"])
    #expect(
      plan.cables.map { "\($0.source) \($0.destination)" } == [
        "port(0) unit(0, bus: 0)", "unit(0, bus: 0) unit(1, bus: 0)",
        "unit(1, bus: 0) unit(2, bus: 0)", "unit(2, bus: 0) unit(5, bus: 0)",
        "unit(3, bus: 0) unit(5, bus: 1)", "unit(5, bus: 0) port(0)",
        "unit(4, bus: 0) unit(5, bus: 2)", "unit(2, bus: 0) unit(0, bus: 1)",
      ])
    #expect(plan.cables.map(\.isFeedback) == Array(repeating: false, count: 7) + [true])
    #expect(plan.cables.first?.position == SourcePosition(line: 21, column: 9))
  }

  @Test func presetsAreOverlaidByTheFilesOwnValues() throws {
    let units = try Self.plan(Self.everything).units
    #expect(
      units[1].parameters == [
        PlannedParameter(address: 0, keyPath: "drive", value: 36),
        PlannedParameter(address: 1, keyPath: "mix", value: 50),
      ])
    #expect(
      units[5].parameters == [
        PlannedParameter(address: 2, keyPath: "master", value: -3),
        PlannedParameter(address: 1 << 32, keyPath: "2.gain", value: -6),
        PlannedParameter(address: 2 << 32 | 1, keyPath: "3.pan", value: -0.5),
      ])
    #expect(units[3].parameters.map(\.keyPath) == ["envelope.attack"])
    #expect(units[3].parameters.map(\.value) == [0.02])
    #expect(units[4].properties == [PlannedProperty(index: 0, value: "/music/racks/../loop.wav")])
  }

  @Test func widthFollowsTheSound() throws {
    let text = Self.everything.replacing(", channels: 2,", ",")
      .replacing("  - echo ~> ring.carrier", "")
    let units = try Self.plan(text).units
    // The signal has one channel until the delay makes two of it.
    #expect(units.map(\.inputChannelCounts) == [[1, 2], [1], [1], [], [], [2, 2, 1]])
    #expect(units.map(\.outputChannelCounts) == [[1], [1], [2], [2], [1], [2]])
  }

  /// The delay's two channels do not fit the ring modulator, which has one by then.
  @Test func feedbackMustFitToo() {
    let text = Self.everything.replacing(", channels: 2,", ",").replacing("ring.carrier", "ring")
    let (plan, diagnostics) = Self.check(text)
    #expect(plan == nil)
    #expect(
      diagnostics.map(\.description) == [
        "rack.yaml:24:10: error: “echo” gives 2 channels and “ring” has 1 channel; give “ring” "
          + "channels: 2; or put a unit that converts between: { unit: aumx/mixr/bkln, channels: 1 }"
      ])
  }

  @Test func aMonoGuitarReachesAStereoOutput() throws {
    let plan = try Self.plan(
      """
      rack: Guitar
      inputs: { guitar: }
      outputs: { main: }
      units:
        drive: { unit: aufx/gain/bkln }
        tone: { unit: aufx/lpas/bkln }
      connections:
        - guitar -> drive -> tone -> main
      """)
    #expect(plan.units.map(\.outputChannelCounts) == [[1], [1]])
    #expect(plan.outputs.map(\.channelCount) == [2])
  }

  @Test func everyOutputHasACeiling() throws {
    let plan = try Self.plan(
      """
      rack: Loud
      inputs: { guitar: }
      outputs: { main: , low: { ceiling: -6 dB }, high: { ceiling: 40 }, free: { ceiling: off } }
      units: { drive: { unit: aufx/gain/bkln } }
      connections: [guitar -> drive -> main, drive -> low, drive -> high, drive -> free]
      """)
    #expect(plan.outputs.map(\.ceiling) == [.level(18), .level(-6), .level(40), .off])
    #expect(plan.outputs.map(\.ceiling.magnitude)[1...] == [0.50118723, 100, .infinity])
  }

  @Test func aMarkedLoopIsNoLoop() throws {
    let plan = try Self.plan(
      """
      rack: Howl
      inputs: { mic: }
      outputs: { main: }
      units:
        a: { unit: aufx/gain/bkln }
        b: { unit: aufx/gain/bkln }
      connections:
        - mic -> a -> b -> main
        - b ~> a
      """)
    #expect(plan.cables.filter(\.isFeedback).count == 1)
  }

  private func row(of count: Int, process: String = "host") -> String {
    let names = (0..<count).map { "u\($0)" }
    let units = names.map { "  \($0): { unit: aufx/gain/bkln, process: \(process) }\n" }.joined()
    let chain = names.joined(separator: " -> ")
    return "rack: Long\ninputs: { mic: }\noutputs: { main: }\nunits:\n\(units)"
      + "connections:\n  - mic -> \(chain) -> main\n"
  }

  @Test func processesAreAsTheFileSays() throws {
    let usual = try Self.plan(Self.everything)
    #expect(usual.processes == ProcessSettings(timeout: 0.5, processor: .automatic, restarts: 5))
    #expect(usual.units.allSatisfy { $0.process == nil && !$0.isPipelined })
    let plan = try Self.plan(
      """
      rack: Apart
      processes: { timeout: 40 %, processor: other, restarts: 0 }
      inputs: { guitar: }
      outputs: { main: }
      units:
        drive: { unit: aufx/gain/bkln, process: host }
        tone: { unit: aufx/lpas/bkln, process: group tail }
        level: { unit: aufx/gain/bkln, process: group tail }
        last: { unit: aufx/gain/bkln, process: own, pipeline: true }
      connections:
        - guitar -> drive -> tone -> level -> last -> main
      """)
    #expect(plan.processes == ProcessSettings(timeout: 0.4, processor: .other, restarts: 0))
    #expect(plan.units.map(\.process) == [.host, .group("tail"), .group("tail"), .own])
    #expect(plan.units.map(\.isPipelined) == [false, false, false, true])
  }

  /// Units that the rack does not wait for make no round trip that a row could save.
  @Test func pipelinedUnitsNeedNoRow() throws {
    _ = try Self.plan(
      """
      rack: Apart
      inputs: { guitar: }
      outputs: { main: }
      units:
        a: { unit: aufx/gain/bkln, process: group all, pipeline: true }
        b: { unit: aufx/gain/bkln, process: group all, pipeline: true }
      connections:
        - guitar -> a -> main
        - guitar -> b -> main
      """)
  }

  @Test func aGroupHasAsManyUnitsAsAProcessServes() throws {
    _ = try Self.plan(row(of: 64, process: "group all"))
    let (plan, diagnostics) = Self.check(row(of: 70, process: "group all"))
    #expect(plan == nil)
    #expect(
      diagnostics.map(\.description) == [
        "rack.yaml:69:41: error: a group has at most 64 units; “all” has 70"
      ])
  }

  @Test func aThousandUnitsInARowAreNoTrouble() throws {
    let plan = try Self.plan(row(of: 1024))
    #expect(plan.cables.count == 1025)
  }

  @Test func moreUnitsThanAnyRackNeedsAreRefused() {
    let (plan, diagnostics) = Self.check(row(of: 1100))
    #expect(plan == nil)
    #expect(
      diagnostics.map(\.description) == [
        "rack.yaml:1029:3: error: a rack has at most 1024 units; this one has 1100"
      ])
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
