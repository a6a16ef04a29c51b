import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackEngine
import RackFiles
import RackModel
import Testing
import UnitModel

/// A rack file as a unit of another rack.
@Suite struct NestedRackTests {
  private let folder: TemporaryFolder
  private let catalogue = ComponentCatalogue()

  /// A rack with two paths, a scene, and parameters that are exposed in each way.
  private static let lead = """
    rack: Lead
    inputs: { in: { channels: 1 }, keys: { midi: true } }
    outputs: { out: { channels: 1 } }
    units:
      drive: { unit: aufx/dist/bkln, parameters: { drive: 12 dB } }
      echo: { unit: aufx/dely/bkln, parameters: { time: 30 ms, mix: 40 % } }
      level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
      mix: { unit: aumx/mixr/bkln, inputs: 2, channels: 1 }
    connections:
      - in -> drive -> echo -> mix.1
      - in -> level -> mix.2
      - mix -> out
    controls: [ { from: keys cc 1, to: level.gain, range: [-20 dB, 0 dB] } ]
    scenes: { wet: { echo.mix: 90 %, drive.bypass: true } }
    expose: [ echo.time, mix.2.gain ]
    """

  private static let through = """
    rack: Through
    inputs: { keys: { midi: true } }
    outputs: { out: { midi: true } }
    units: { move: { unit: aumi/trns/bkln } }
    connections: [ keys -> move -> out ]
    """
  private static let aroundThrough = """
    rack: Outer
    inputs: { keys: { midi: true } }
    outputs: { out: { midi: true } }
    units: { through: { unit: ./through.yaml } }
    connections: [ keys -> through -> out ]
    """

  init() throws {
    folder = try TemporaryFolder()
    catalogue.includeRacks()
  }

  private func load(_ name: String) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    RackLoader.load(folder.path(name), catalogue: catalogue)
  }

  private func plan(_ name: String) throws -> Plan {
    let (rack, diagnostics) = load(name)
    return try #require(rack, "\(diagnostics)").plan
  }

  private func write(_ name: String, _ text: String) throws {
    _ = try folder.write(name, bytes: Array(text.utf8))
  }

  /// Writes a rack around `lead.yaml`.
  private func writeOuter(_ unit: String = "{ unit: ./lead.yaml }") throws {
    try write(
      "outer.yaml",
      """
      rack: Outer
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units: { lead: \(unit) }
      connections: [ in -> lead -> out, keys -> lead ]
      """)
  }

  private func render(
    _ plan: Plan, block: Int, frames: Int = 24_000,
    _ change: (RackRenderer, Int) throws -> Void = { _, _ in }
  ) throws -> [Float] {
    let renderer = try RackRenderer(plan, catalogue: catalogue, blockFrames: block)
    let noise = Signals.noise(frames: frames)
    var heard: [Float] = []
    while heard.count < frames {
      let count = min(block, frames - heard.count)
      try change(renderer, heard.count)
      let part = Array(noise[heard.count..<heard.count + count])
      heard += try renderer.render(frames: count, inputs: [part])[0]
    }
    return heard
  }

  @Test func itSoundsAsItDoesAlone() throws {
    try write("lead.yaml", Self.lead)
    try writeOuter()
    let alone = try render(plan("lead.yaml"), block: 1024)
    for block in [1, 64, 1000, 1024] {
      #expect(try render(plan("outer.yaml"), block: block) == alone, "blocks of \(block)")
    }
  }

  @Test func itsParametersAreThoseThatItExposes() throws {
    try write("lead.yaml", Self.lead)
    try writeOuter()
    let facts = try #require(
      catalogue.facts(for: UnitReference("\(folder.path("lead.yaml"))")).first)
    let paths = facts.allParameters().map(\.keyPath)
    #expect(
      paths == ["echo.time", "mix.2.gain", "drive.bypass", "echo.mix", "level.gain"])
    #expect(facts.component.type == .musicEffect && facts.name == "Lead")
    let time = try #require(facts.parameter(atKeyPath: "echo.time")?.info)
    #expect(time.defaultValue == 0.03 && time.unit == .seconds)
    #expect(facts.factoryPresets.map(\.name) == ["wet"])
  }

  /// A parameter that is set outside sounds as if set inside; so does a scene that is loaded as a preset.
  @Test(arguments: [
    (
      "{ unit: ./lead.yaml, parameters: { echo.time: 20 ms, level.gain: -12 dB } }",
      ["time: 30 ms": "time: 20 ms", "gain: -6 dB": "gain: -12 dB"]
    ),
    (
      "{ unit: ./lead.yaml, preset: wet }",
      [
        "mix: 40 %": "mix: 90 %",
        "parameters: { drive: 12 dB }": "bypass: true, parameters: { drive: 12 dB }",
      ]
    ),
  ])
  func itIsSetFromOutside(unit: String, edits: [String: String]) throws {
    try write("lead.yaml", Self.lead)
    var inside = Self.lead
    for (former, new) in edits { inside = inside.replacingOccurrences(of: former, with: new) }
    try write("inside.yaml", inside)
    try writeOuter(unit)
    #expect(try render(plan("outer.yaml"), block: 256) == render(plan("inside.yaml"), block: 256))
  }

  /// Returns notes that start and end in turn.
  private static func notes(_ count: Int, over frames: Int) -> [RackRenderer.Message] {
    var messages: [RackRenderer.Message] = []
    for note in 0..<count {
      for (place, status) in [UInt8(0x90), 0x80].enumerated() {
        let frame = (2 * note + place) * frames / (2 * count)
        messages.append(.init(frame: frame, bytes: [status, UInt8(note % 128), 64]))
      }
    }
    return messages
  }

  /// No message is lost on the way in, even with more than a keyboard sends.
  @Test func everyMessageComesIn() throws {
    try write("through.yaml", Self.through)
    try write("outer.yaml", Self.aroundThrough)
    let renderer = try RackRenderer(plan("outer.yaml"), catalogue: catalogue, blockFrames: 512)
    let messages = Self.notes(2_000, over: 512)
    _ = try renderer.render(frames: 512, messages: messages)
    #expect(renderer.sentMessages == messages)
    #expect(renderer.lostEvents == 0)
  }

  /// Messages beyond the inner rack's capacity are counted outside.
  @Test func whatIsLostWithinIsCounted() throws {
    let ports = "inputs: { keys: { midi: true } }\noutputs: { out: { channels: 2 } }\n"
    try write(
      "two.yaml",
      "rack: Two\n" + ports
        + """
        units: { one: { unit: aumu/sine/bkln }, two: { unit: aumu/sine/bkln } }
        connections: [ keys -> one -> out, keys -> two -> out ]
        """)
    try write(
      "outer.yaml",
      "rack: Outer\n" + ports
        + "units: { two: { unit: ./two.yaml } }\nconnections: [ keys -> two -> out ]\n")
    let renderer = try RackRenderer(plan("outer.yaml"), catalogue: catalogue, blockFrames: 512)
    _ = try renderer.render(frames: 512, messages: Self.notes(2_500, over: 512))
    // Each message goes to both units.
    #expect(renderer.lostEvents == 2 * 5_000 - 8_192)
  }

  /// Parameters change at their frames, and a bypass in the middle of a cycle.
  @Test func itIsPlayedFromOutside() throws {
    try write("lead.yaml", Self.lead)
    try writeOuter()
    func moved(block: Int) throws -> [Float] {
      try render(plan("outer.yaml"), block: block) { renderer, position in
        guard position == 0 else { return }
        let lead = try #require(renderer.audioUnit(named: "lead"))
        for (path, time, value) in [("level.gain", 2_000, 6), ("drive.bypass", 3_001, 1)] {
          let address = try #require(lead.facts.parameter(atKeyPath: path)).address
          try lead.scheduleParameter(
            at: .now(offset: time), address: address, value: Float(value))
        }
      }
    }
    let whole = try moved(block: 1024)
    let still = try render(plan("outer.yaml"), block: 1024)
    #expect(whole.prefix(2_000) == still.prefix(2_000) && whole[2_100] != still[2_100])
    for block in [64, 1000] { #expect(try moved(block: block) == whole, "blocks of \(block)") }
  }

  @Test func racksAreNestedTwice() throws {
    try write("lead.yaml", Self.lead)
    try writeOuter()
    try write(
      "outermost.yaml",
      """
      rack: Outermost
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { all: { unit: ./outer.yaml } }
      connections: [ in -> all -> out ]
      """)
    #expect(
      try render(plan("outermost.yaml"), block: 128, frames: 4_800)
        == render(plan("lead.yaml"), block: 128, frames: 4_800))
  }

  /// An edit of the inner file is a new unit.
  @Test func anEditIsNoticed() throws {
    try write("lead.yaml", Self.lead)
    try writeOuter()
    let former = try render(plan("outer.yaml"), block: 256)
    try write("lead.yaml", Self.lead.replacingOccurrences(of: "-6 dB", with: "-60 dB"))
    #expect(try render(plan("outer.yaml"), block: 256) != former)
  }

  @Test(arguments: [
    ("units: { drive: { unit: ./lead.yaml } }", "it contains itself: lead -> lead"),
    ("units: { drive: { unit: Distorsion } }", "lead.yaml:2:25: error: there is no unit"),
    (
      "units: { drive: { unit: Gain } }\nexpose: [ drive.gian ]",
      "lead.yaml:3:11: error: “drive” has no parameter “gian”; did you mean “drive.gain”?"
    ),
    (
      "units: { drive: { unit: Gain } }\nexpose: [ drive.gain, drive.gain ]",
      "lead.yaml:3:23: error: “drive.gain” is exposed twice"
    ),
    (
      "units: { drive: { unit: Gain, process: own } }",
      "unit drive: it runs in a process of its own"
    ),
  ])
  func whatIsWrongInItIsSaid(line: String, message: String) throws {
    try write("lead.yaml", "rack: Lead\n\(line)\n")
    try writeOuter()
    let messages = load("outer.yaml").diagnostics.map(\.description).joined(separator: "\n")
    #expect(
      messages.contains("outer.yaml:4:24: error: “./lead.yaml” cannot be used: "), "\(messages)")
    #expect(messages.contains(message), "\(messages)")
  }

  /// Files that name each other twice double their units at each level.
  @Test func tooManyUnitsAreRefused() throws {
    try write("lead.yaml", Self.lead)
    for level in 1...8 {
      let inner = level == 1 ? "lead" : "level\(level - 1)"
      try write(
        "level\(level).yaml",
        """
        rack: Level
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { a: { unit: ./\(inner).yaml }, b: { unit: ./\(inner).yaml } }
        connections: [ in -> a -> b -> out ]
        """)
    }
    #expect(load("level6.yaml").rack != nil)
    let messages = load("level8.yaml").diagnostics.map(\.description).joined(separator: "\n")
    #expect(messages.contains("it has 766 units with those of its racks"), "\(messages)")
  }

  @Test func aFileThatIsMissingIsNamed() throws {
    try writeOuter()
    let messages = load("outer.yaml").diagnostics.map(\.description).joined(separator: "\n")
    #expect(messages.contains("outer.yaml:4:24: error: "), "\(messages)")
    #expect(messages.contains("lead.yaml"), "\(messages)")
  }
}
