import Foundation
import RackModel
import Testing
import UnitModel

/// The schema against an independent validator: Python's jsonschema.
@Suite struct RackSchemaTests {
  static let script = """
    import json, sys, yaml, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    rack = json.loads(json.dumps(yaml.safe_load(open(sys.argv[2]))))
    sys.exit(0 if jsonschema.Draft202012Validator(schema).is_valid(rack) else 3)
    """

  static func python(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  static let hasValidator = (try? python(["import jsonschema, yaml"])) == 0

  static func page(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
  }

  private func validate(
    _ rack: String, against schema: String = RackSchema.json(catalogue: TestCatalogue.units)
  ) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let schemaFile = folder.appending(path: "schema.json")
    let rackFile = folder.appending(path: "rack.yaml")
    try schema.write(to: schemaFile, atomically: true, encoding: .utf8)
    try rack.write(to: rackFile, atomically: true, encoding: .utf8)
    return try Self.python([Self.script, schemaFile.path, rackFile.path])
  }

  @Test(
    .enabled(if: hasValidator, "needs Python's jsonschema and yaml"),
    arguments: [
      PlanTests.everything,
      "rack: Small\ninputs: { mic: }\noutputs: { main: { channels: 1 } }",
      "rack: 22\nunits: { mix: { unit: aumx/mixr/bkln, parameters: { 1.gain: -6, 9: { pan: C } } } }",
      "rack: Grouped\nunits: { s: { unit: aumu/sine/bkln, parameters: { envelope.attack: 0.1 } } }",
      "rack: Apart\nprocesses: { timeout: 40 %, processor: 1, restarts: 0 }",
      "rack: Apart\nprocesses: { timeout: 40, processor: same }\n"
        + "units: { e: { unit: Delay, process: group echoes, pipeline: yes, spill: yes } }",
    ])
  func acceptsGoodRacks(rack: String) throws {
    #expect(try validate(rack) == 0)
  }

  @Test(
    .enabled(if: hasValidator, "needs Python's jsonschema and yaml"),
    arguments: [
      "inputs: { mic: }",
      "rack: Key\nunit: { }",
      "rack: Channels\ninputs: { mic: { channels: 0 } }",
      "rack: Unit\nunits: { ring: { unit: aufx/rnig/bkln } }",
      "rack: Knob\nunits: { ring: { unit: aufx/ring/bkln, parameters: { freqency: 22 } } }",
      "rack: Range\nunits: { ring: { unit: aufx/ring/bkln, parameters: { frequency: 22000 } } }",
      "rack: Switch\nunits: { e: { unit: Delay, parameters: { ping_pong: maybe } } }",
      "rack: Busses\nunits: { mix: { unit: aumx/mixr/bkln, inputs: 65 } }",
      "rack: Bus\nunits: { mix: { unit: aumx/mixr/bkln, parameters: { 2.gian: 0 } } }",
      "rack: Read\nunits: { m: { unit: aufx/metr/bkln, parameters: { peak: 0 } } }",
      "rack: Property\nunits: { p: { unit: augn/play/bkln, properties: { fiel: x } } }",
      "rack: Chain\nconnections: [mic]",
      "rack: Process\nunits: { e: { unit: Delay, process: elsewhere } }",
      "rack: Group\nunits: { e: { unit: Delay, process: group a/b } }",
      "rack: Pipeline\nunits: { e: { unit: Delay, process: own, pipeline: 2 } }",
      "rack: Timeout\nprocesses: { timeout: 91 }",
      "rack: Processor\nprocesses: { processor: smae }",
      "rack: Restarts\nprocesses: { restarts: 101 }",
      "rack: Settings\nprocesses: { timeuot: 50 }",
    ])
  func refusesBadOnes(rack: String) throws {
    #expect(try validate(rack) == 3)
  }

  @Test(
    .enabled(if: hasValidator, "needs Python's jsonschema and yaml"),
    arguments: [
      ("songs: { A: { rack: a.yaml } }", true),
      (
        "programs: { input: pedals, channel: 16, connect: [\"a:b\"] }\nsongs: { A: { rack: 1 } }",
        true
      ),
      (
        "songs: { A: { rack: a, scene: far, program: 1, bank: 1/2 }, B: { rack: b, program: 1 } }",
        true
      ),
      ("songs: { }", false), ("songs: { A: a.yaml }", false),
      ("songs: { A: { rack: a, bank: 1 } }", false),
      ("songs: { A: { rack: a, program: 129 } }", false),
      ("programs: { channel: 0 }\nsongs: { A: { rack: a } }", false),
    ])
  func knowsSetLists(list: String, isRight: Bool) throws {
    let status = try validate("setlist: Evening\n\(list)", against: SetListSchema.json)
    #expect(status == (isRight ? 0 : 3))
  }

  @Test func isWellFormedWhateverTheUnitsAreCalled() throws {
    let odd = UnitFacts(
      component: ComponentDescription("aufx/oddq/bkln")!, name: "\"Odd\" \\ one\n\u{1}",
      summary: "µ “”")
    let data = Data(RackSchema.json(catalogue: [odd]).utf8)
    #expect(try JSONSerialization.jsonObject(with: data) is [String: Any])
  }
}
