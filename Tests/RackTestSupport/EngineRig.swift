import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel

@testable import RackEngine

/// An engine on a server of the test's own, both put away in order, whatever happened.
package final class EngineRig {
  package let server: JackTestServer
  package let engine: Engine
  package let log: EngineLog
  /// What the JACK client is called.
  package var client: String { engine.clientName }

  private init(
    _ plan: Plan, period: Int, rate: Int, catalogue: ComponentCatalogue, endsWithServer: Bool,
    takesTimebase: Bool
  ) async throws {
    server = try JackTestServer(period: period, rate: rate)
    engine = try await Engine.start(
      plan, catalogue: catalogue, server: .join, options: .init(name: server.name),
      endsWithServer: endsWithServer, takesTimebase: takesTimebase)
    log = EngineLog(engine.events)
  }

  package static func run(
    _ plan: Plan, period: Int = 256, rate: Int = 48_000,
    catalogue: ComponentCatalogue = TestRacks.catalogue,
    endsWithServer: Bool = false, takesTimebase: Bool = false,
    _ body: (EngineRig) async throws -> Void
  ) async throws {
    let rig = try await EngineRig(
      plan, period: period, rate: rate, catalogue: catalogue, endsWithServer: endsWithServer,
      takesTimebase: takesTimebase)
    let result: Result<Void, any Error>
    do { result = .success(try await body(rig)) } catch { result = .failure(error) }
    await rig.engine.stop()
    rig.server.stop()
    try result.get()
  }

  /// A probe before all inputs and behind all outputs of a plan, in their order.
  package func probe(_ plan: Plan) throws -> JackProbe {
    let inputs = plan.inputs.flatMap(\.channelNames)
    let outputs = plan.outputs.flatMap(\.channelNames)
    let probe = try JackProbe(
      server: server.name, outputs: inputs.count, midi: plan.midiInputs.count,
      inputs: outputs.count, midiInputs: plan.midiOutputs.count)
    for (place, name) in inputs.enumerated() {
      try probe.connect("injector:out_\(place + 1)", "\(client):\(name)")
    }
    for (place, port) in plan.midiInputs.enumerated() {
      try probe.connect("injector:midi_\(place + 1)", "\(client):\(port.name)")
    }
    for (place, name) in outputs.enumerated() {
      try probe.connect("\(client):\(name)", "capturer:in_\(place + 1)")
    }
    for (place, port) in plan.midiOutputs.enumerated() {
      try probe.connect("\(client):\(port.name)", "capturer:midi_\(place + 1)")
    }
    return probe
  }
}

extension Engine {
  /// JACK's frame time at which the rack's first frame was played.
  package func origin() async -> UInt32? { await server.client.origin }
}

/// Everything that an engine told.
package actor EngineLog {
  package private(set) var events: [EngineEvent] = []
  package private(set) var isFinished = false

  package init(_ stream: AsyncStream<EngineEvent>) {
    Task {
      for await event in stream { await self.record(event) }
      await self.finish()
    }
  }

  private func record(_ event: EngineEvent) { events.append(event) }
  private func finish() { isFinished = true }

  package func contains(where matches: @Sendable (EngineEvent) -> Bool) -> Bool {
    events.contains(where: matches)
  }
}
