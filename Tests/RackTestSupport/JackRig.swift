import BacklineTestSupport
import CKernel
import JackIO
import RackEngine

/// A server, a kernel and a client that are put away in order, whatever happened.
package final class JackRig {
  package let server: JackTestServer
  package let host = KernelHost()
  package let client: JackClient
  package let log: EventLog

  private init(period: Int, name: String) async throws {
    server = try JackTestServer(period: period)
    client = try await JackClient.open(name: name, server: server.name)
    log = EventLog(client.events)
  }

  package static func run(
    period: Int = 64, name: String = "rack", _ body: (JackRig) async throws -> Void
  ) async throws {
    let rig = try await JackRig(period: period, name: name)
    let result: Result<Void, any Error>
    do { result = .success(try await body(rig)) } catch { result = .failure(error) }
    await rig.client.close()
    rig.server.stop()
    try result.get()
  }

  /// Registers the ports and plays a graph of all units added so far through them.
  @discardableResult
  package func play(
    _ cables: [bl_cable], inputs: [JackPortDescription] = [], outputs: [JackPortDescription] = [],
    midiInputs: [JackPortDescription] = [], midi: [bl_midi_cable] = []
  ) async throws -> JackPortSet {
    let ports = try await client.registerPorts(
      inputs: inputs, outputs: outputs, midiInputs: midiInputs)
    let graph = try host.lower(
      cables, inputs: inputs.map { UInt32($0.channels) },
      outputs: outputs.map { UInt32($0.channels) }, midi: midi, context: ports.context)
    host.play(graph)
    return ports
  }

  package func activate() async throws {
    try await client.activate(kernel: KernelReference(host.kernel))
  }

  /// Waits for the graph before the present one to come up, retired.
  package func waitForRetirement(_ count: Int = 1) async throws {
    try await eventually("a graph is retired") {
      host.receiveReports()
      return host.count(BL_REPORT_GRAPH_RETIRED) >= count
    }
  }
}

/// Everything that a client was told.
package actor EventLog {
  private var events: [JackEvent] = []
  package private(set) var isFinished = false

  package init(_ stream: AsyncStream<JackEvent>) {
    Task {
      for await event in stream { await self.record(event) }
      await self.finish()
    }
  }

  private func record(_ event: JackEvent) { events.append(event) }
  private func finish() { isFinished = true }

  package func contains(_ event: JackEvent) -> Bool { events.contains(event) }

  package func contains(where matches: @Sendable (JackEvent) -> Bool) -> Bool {
    events.contains(where: matches)
  }
}
