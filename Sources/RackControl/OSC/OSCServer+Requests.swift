import OSC
import RackEngine
import RackModel
import RackSession

extension OSCServer {
  /// Carries out requests. Of several sets of one address, with only other sets between them, carries out the last.
  func carryOut(_ requests: [Received]) async {
    var later: Set<String> = []
    var newest: [Received] = []
    for request in requests.reversed() {
      if case .success(.set(let address, _)) = request.request {
        if later.insert(address).inserted { newest.append(request) }
      } else {
        later = []
        newest.append(request)
      }
    }
    for request in newest.reversed() where !isStopped { await carryOut(request) }
  }

  /// Carries out gestures and questions at once, and other commands one after the other in a task of their own.
  private func carryOut(_ request: Received) async {
    guard await mustWait(request) else { return await answer(request) }
    commands.append(request)
    carryOutCommands()
  }

  /// Whether a request waits for the commands before it. A running command may create the parameter of a request.
  private func mustWait(_ request: Received) async -> Bool {
    switch request.request {
    case .success(.command(let command)):
      if type(of: command).declaration.isSlow { return true }
      return await session.lane(of: command) == .turn
    case .success(.set(let address, _)), .success(.get(let address)):
      let addresses = await freshAddresses()
      guard commanding != nil else { return addresses.isSlow(address) }
      return addresses.isSlow(address) || (try? addresses.matches(address)) == nil
    case .success(.nothing), .failure: return false
    }
  }

  private func carryOutCommands() {
    guard commanding == nil else { return }
    commanding = Task {
      while !commands.isEmpty, !isStopped { await answer(commands.removeFirst()) }
      commanding = nil
    }
  }

  private func answer(_ request: Received) async {
    do {
      try await carryOut(try request.request.get(), of: request)
    } catch {
      refuse(request, because: "\(error)")
    }
  }

  private func carryOut(_ content: OSCRequest, of request: Received) async throws {
    switch content {
    case .set(let pattern, let value):
      for address in try await freshAddresses().matches(pattern) {
        guard let parameter = addresses[address] else { continue }
        do {
          let set = SetParameter(parameter: parameter, value: value)
          try await session.perform(set, from: request.peer)
        } catch {
          refuse(request, because: "\(error)")
        }
      }
    case .get(let pattern): try await sendValues(of: pattern, for: request)
    case .command(let command as Subscribe): try await subscribe(request, command)
    case .command(let command):
      if let unsubscribe = command as? Unsubscribe {
        let sender = request.sender
        self.unsubscribe(sender, unsubscribe.port.map { sender.at(port: $0) } ?? sender)
      }
      switch try await session.perform(command, from: request.peer) {
      case .done(let text), .saved(let text, _), .moved(let text, _), .text(let text):
        reply(request, text)
      case .catalogue(let entries):
        send(
          entries.map { OSCMessage("/catalogue/unit", .text($0.unit), .text($0.name)) },
          to: request.sender)
        reply(request, "\(entries.count) units")
      case .log(let entries):
        send(entries.map { OSCMessage("/log", .text($0.text)) }, to: request.sender)
      case .picture(let drawing): reply(request, drawing.words)
      case .listing(let listing): await send(listing, for: request)
      case .status(let status): send(Self.messages(status), to: request.sender)
      case .reading(let reading):
        let address = OSCAddresses.address(of: reading.parameter)
        send([.init(address, .float(reading.value))], to: request.sender)
      }
    case .nothing: break
    }
  }

  /// Returns the addresses of the present rack.
  func freshAddresses() async -> OSCAddresses {
    let generation = session.structureGeneration
    if generation != addressedGeneration {
      let listing = await session.listing()
      addresses = OSCAddresses(
        listing.parameters.map(\.parameter),
        properties: listing.units.flatMap { $0.properties.map(\.property) })
      addressedGeneration = generation
    }
    return addresses
  }

  private func sendValues(of pattern: String, for request: Received) async throws {
    let addresses = await freshAddresses()
    let isAddress = pattern.hasPrefix("/")
    let found = isAddress ? try addresses.matches(pattern) : [pattern]
    var messages: [OSCMessage] = []
    for found in found {
      let get = ReadParameter(parameter: addresses[found] ?? found)
      guard case .reading(let reading) = try await session.perform(get, from: request.peer) else {
        continue
      }
      messages.append(
        OSCMessage(addresses.address(of: reading.parameter) ?? found, .float(reading.value)))
    }
    send(messages, to: request.sender)
  }

  /// Sends a message for each parameter and scene, and the numbers of both.
  private func send(_ listing: RackListing, for request: Received) async {
    let addresses = await freshAddresses()
    let parameters = listing.parameters.compactMap { parameter in
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
