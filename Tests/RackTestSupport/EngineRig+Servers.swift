import AudioUnits
import BacklineTestSupport
import RackModel

@testable import JackIO
@testable import RackEngine

extension EngineRig {
  /// Ends the server and starts another of its name; until the engine plays there.
  ///
  /// A probe is at the server when it ends; like every client of this process it must be closed before
  /// another is opened.
  package func changeServers(
    _ probe: inout JackProbe?, period: Int = 256, rate: Int = 48_000, killed: Bool = true,
    meanwhile: () async throws -> Void = {}
  ) async throws {
    JackClient.unclosed.withLock { $0 += 1 }
    if killed { server.kill() } else { server.stop() }
    let hasLeft: Result<Void, any Error>
    do {
      hasLeft = .success(
        try await eventually("the engine has left") {
          await engine.status().serverIsAway && JackClient.unclosed.withLock { $0 } == 1
        })
    } catch {
      hasLeft = .failure(error)
    }
    probe = nil
    JackClient.unclosed.withLock { $0 -= 1 }
    try hasLeft.get()
    try await meanwhile()
    try server.startAgain(period: period, rate: rate)
    try await eventually("it plays again") { await !engine.status().serverIsAway }
  }

  package func changeServers(
    period: Int = 256, rate: Int = 48_000, killed: Bool = true,
    meanwhile: () async throws -> Void = {}
  ) async throws {
    var nothing: JackProbe?
    try await changeServers(
      &nothing, period: period, rate: rate, killed: killed, meanwhile: meanwhile)
  }
}

extension Engine {
  package func set(_ unit: String, _ keyPath: String, to value: Float) throws {
    let (audioUnit, address) = try parameter(unit, keyPath)
    try audioUnit.setParameter(address, to: value)
  }

  package func value(_ unit: String, _ keyPath: String) throws -> Float? {
    let (audioUnit, address) = try parameter(unit, keyPath)
    return audioUnit.parameterValue(address)
  }

  private func parameter(_ unit: String, _ keyPath: String) throws -> (AudioUnit, UInt64) {
    guard let found = rack?.units.first(where: { $0.planned.name == unit })?.audioUnit,
      let parameter = found.facts.parameter(atKeyPath: keyPath, inputBusCount: 1)
    else { throw RackError("no \(unit).\(keyPath)") }
    return (found, parameter.address)
  }
}
