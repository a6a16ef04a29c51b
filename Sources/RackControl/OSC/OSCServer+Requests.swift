import OSC
import RackEngine
import RackModel
import RackSession

extension OSCServer {
  /// Does what a message asks for, and answers its sender where there is something to say.
  func carryOut(_ request: Request) async {
    do {
      switch try OSCRequest(request.message) {
      case .command(let command): reply(request, try await session.perform(command))
      case .engine(let engineRequest):
        reply(request, try await session.engine.perform(engineRequest))
      case .set(let pattern, let value):
        for address in try await freshAddresses().matches(pattern) {
          await set(address, to: value, for: request)
        }
      case .get(let pattern): try await tellValues(of: pattern, to: request)
      case .list: await list(for: request)
      case .status: send(Self.messages(await session.status()), to: request.sender)
      case .subscribe(let meters, let port):
        try await subscribe(request, meters: meters, port: port)
      case .unsubscribe(let port):
        unsubscribe(request.sender, port.map { request.sender.at(port: $0) } ?? request.sender)
        reply(request, "unsubscribed")
      case .answer: break
      }
    } catch {
      refuse(request, because: "\(error)")
    }
  }

  /// The addresses of the rack that plays now.
  func freshAddresses() async -> OSCAddresses {
    let generation = session.structureGeneration
    if generation != addressedGeneration {
      addresses = OSCAddresses(await session.listing().readings.map(\.parameter))
      addressedGeneration = generation
    }
    return addresses
  }

  private func set(_ address: String, to value: String, for request: Request) async {
    guard let parameter = addresses[address] else { return }
    // Before it can be heard back.
    subscribers[request.sender]?.note(value, at: address)
    do {
      try await session.perform(.set(parameter: parameter, value: value))
    } catch {
      refuse(request, because: "\(error)")
    }
  }

  private func tellValues(of pattern: String, to request: Request) async throws {
    let addresses = await freshAddresses()
    let isAddress = pattern.hasPrefix("/")
    let found = isAddress ? try addresses.matches(pattern) : [pattern]
    var messages: [OSCMessage] = []
    for found in found {
      let reading = try await session.reading(of: addresses[found] ?? found)
      messages.append(
        OSCMessage(addresses.address(of: reading.parameter) ?? found, .float(reading.value)))
    }
    send(messages, to: request.sender)
  }

  /// A line for each parameter and scene, and how many there were.
  private func list(for request: Request) async {
    let addresses = await freshAddresses()
    let listing = await session.listing()
    let parameters = listing.units.flatMap(\.parameters).compactMap { parameter in
      addresses.address(of: parameter.parameter).map { address in
        OSCMessage(
          "/list/parameter", .text(address), .text(parameter.name), .float(parameter.value),
          .text(parameter.text), .float(parameter.minimum), .float(parameter.maximum),
          .float(parameter.defaultValue))
      }
    }
    let scenes = listing.scenes.map { OSCMessage("/list/scene", .text($0)) }
    send(parameters + scenes, to: request.sender)
    reply(request, "\(parameters.count) parameters, \(scenes.count) scenes")
  }

  private static func messages(_ status: EngineSnapshot) -> [OSCMessage] {
    [
      OSCMessage("/status/rack", .text(status.rack)),
      OSCMessage("/status/load", .number(status.load)),
      OSCMessage("/status/xruns", .integer(status.xruns)),
      OSCMessage("/status/events_lost", .integer(status.events.lost)),
      OSCMessage("/status/sample_rate", .number(status.sampleRate)),
      OSCMessage("/status/buffer_size", .integer(status.bufferSize)),
      OSCMessage("/status/server_is_away", .boolean(status.serverIsAway)),
      OSCMessage("/status/tempo", .number(status.tempo)),
      OSCMessage("/status/transport", .number(status.transport.seconds)),
      OSCMessage("/status/transport_rolls", .boolean(status.transport.isRolling)),
    ]
  }
}
