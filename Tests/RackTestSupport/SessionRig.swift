import BacklineTestSupport
import Documents
import Foundation
import RackModel

@testable import RackEngine
@testable import RackSession

/// A session on a server of the test's own.
package struct SessionRig {
  package let engine: EngineRig
  package let session: RackSession

  package static let sources = RackSources(
    checker: { TestRacks.checker(folder: $0) },
    load: { load("\($0).yaml", in: "\(TestRacks.folder.path)/") })

  private static func load(_ name: String, in folder: String) -> (CheckedRack?, [Diagnostic]) {
    let path = folder + name
    guard let data = FileManager.default.contents(atPath: path) else { return (nil, []) }
    return TestRacks.checker(folder: TestRacks.folder.path).open(data, file: path)
  }

  package static func run(
    _ yaml: String, file: String = "test.yaml", sources: RackSources = sources,
    _ body: (SessionRig) async throws -> Void
  ) async throws {
    let (rack, diagnostics) = TestRacks.checker(folder: TestRacks.folder.path)
      .open(Array(yaml.utf8), file: file)
    guard let rack else { throw TestRacks.Wrong(description: "\(diagnostics)") }
    try await EngineRig.run(rack.plan) { engine in
      let session = await RackSession(rack, engine: engine.engine, sources: sources)
      try await body(SessionRig(engine: engine, session: session))
    }
  }

  /// A session on a set list in a folder.
  package static func run(
    setList path: String, _ body: (SessionRig) async throws -> Void
  ) async throws {
    let list = try setList(path)
    guard let setListPlayer = SetListPlayer(list),
      let (_, rack, plan) = setListPlayer.opening
    else { throw TestRacks.Wrong(description: path) }
    let sources = RackSources(
      checker: { TestRacks.checker(folder: $0) }, load: { load($0, in: "") })
    try await EngineRig.run(plan) { engine in
      let session = await RackSession(
        rack, engine: engine.engine, sources: sources, setListPlayer: setListPlayer)
      try await body(SessionRig(engine: engine, session: session))
    }
  }

  package static func setList(_ path: String) throws -> CheckedSetList {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let checker = SetListChecker(locate: { "\(folder)/\($0)" }, load: { load($0, in: "") })
    let (list, diagnostics) = checker.check(try Data(contentsOf: URL(filePath: path)), file: path)
    guard let list else { throw TestRacks.Wrong(description: "\(diagnostics)") }
    return list
  }

  /// Everything that the rack has, as text; the same for the same state.
  package func state() async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    var listing = await session.listing()
    listing.revision = 0
    (listing.state.undo, listing.state.redo, listing.state.scene) = (nil, nil, nil)
    (listing.state.isSaved, listing.state.isSceneChanged) = (true, false)
    return String(decoding: try encoder.encode(listing), as: UTF8.self)
  }

  package func perform(_ commands: String...) async throws {
    for command in commands { try await session.perform(command) }
  }

  package func text(of parameter: String) async throws -> String {
    try await session.reading(of: parameter).text
  }
}

extension [any RackEvent] {
  package var readings: [ParameterReading] {
    compactMap { $0 as? ValuesChanged }.flatMap(\.readings)
  }
  package var telemetry: [TelemetryReading] {
    compactMap { $0 as? TelemetryRead }.flatMap(\.readings)
  }
  package var learnings: [Learning] { compactMap { $0 as? Learning } }
  package var rack: String? { compactMap { $0 as? RackReplaced }.last?.rack }
  package var layout: String? { compactMap { $0 as? BoxesMoved }.last?.rack }
}

extension AsyncStream<[any RackEvent]>.Iterator {
  /// The values that come next.
  package mutating func readings() async -> [ParameterReading]? {
    while let change = await next() {
      if !change.readings.isEmpty { return change.readings }
    }
    return nil
  }

  /// How the learning ends that ends next.
  package mutating func learned() async -> Learning? {
    while let change = await next() {
      if let ended = change.learnings.first(where: { $0.done != nil || $0.error != nil }) {
        return ended
      }
    }
    return nil
  }
}
