import BacklineTestSupport
import Foundation
import Testing

/// Programs that play, one server at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LivePrograms {
  /// A program on the test's own server, with a probe on request; all are always closed in order.
  final class Rig {
    let server: JackTestServer
    let program: Program
    private var openProbe: JackProbe?
    /// Additional page programs of the rack.
    var pages: [Program] = []

    /// The probe, opened at first use, with one channel each way.
    var probe: JackProbe {
      get throws {
        let probe = try openProbe ?? JackProbe(server: server.name)
        openProbe = probe
        return probe
      }
    }

    /// Closes the probe; the next use opens another.
    func closeProbe() { openProbe = nil }

    private init(_ arguments: [String], wrapper: [String], timeout: Int) throws {
      server = try JackTestServer(period: 256, timeout: timeout)
      program = try Program(arguments + ["--server-name", server.name], wrapper: wrapper)
    }

    /// Runs a program. A killed program blocks the server for ten times `timeout`, milliseconds.
    static func run(
      _ arguments: String..., wrapper: [String] = [],
      timeout: Int = JackTestServer.defaultTimeout, body: (Rig) async throws -> Void
    ) async throws {
      try await run(arguments, wrapper: wrapper, timeout: timeout, body: body)
    }

    static func run(
      _ arguments: [String], wrapper: [String] = [],
      timeout: Int = JackTestServer.defaultTimeout, body: (Rig) async throws -> Void
    ) async throws {
      let rig = try Rig(arguments, wrapper: wrapper, timeout: timeout)
      let result: Swift.Result<Void, any Error>
      do { result = .success(try await body(rig)) } catch { result = .failure(error) }
      for page in rig.pages {
        page.send(SIGTERM)
        _ = page.waitForEnd()
      }
      rig.program.send(SIGTERM)
      _ = rig.program.waitForEnd()
      rig.openProbe = nil
      rig.server.stop()
      try result.get()
    }
  }

  /// Writes a rack file with a gain of `decibels` between the ports `in` and `out`.
  static func writeGain(_ decibels: Int, to name: String, in folder: TemporaryFolder) throws
    -> String
  {
    try folder.write(
      name,
      bytes: Array(
        """
        rack: Level
        inputs: { in: { channels: 1, connect: "injector:out_1" } }
        outputs: { out: { channels: 1, connect: "capturer:in_1" } }
        units: { level: { unit: aufx/gain/bkln, parameters: { gain: \(decibels) dB } } }
        connections: [ in -> level -> out ]
        """.utf8))
  }
}
