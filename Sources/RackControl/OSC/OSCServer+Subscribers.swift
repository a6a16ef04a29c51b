import Documents
import OSC
import RackEngine
import RackModel
import RackSession

extension OSCServer {
  /// Sends every value to the sender, and all further changes. Replaces the sender's earlier subscription, and any
  /// other subscription to the same return address.
  ///
  /// - Throws: `Refusal` if there are too many subscribers.
  func subscribe(
    _ request: Received, _ subscription: Subscribe
  ) async throws {
    for (address, subscriber) in subscribers where subscriber.hasEnded { drop(address) }
    let sender = request.sender
    let returnAddress = subscription.port.map { sender.at(port: $0) } ?? sender
    unsubscribe(sender, returnAddress)
    guard subscribers.count < OSCSubscriber.maximum else {
      throw Refusal("more than \(OSCSubscriber.maximum) peers have subscribed")
    }
    var subscriber = OSCSubscriber(returnAddress: returnAddress)
    let events = session.events(for: request.peer, meters: subscription.meters)
    subscriber.events = Task { [weak self] in
      await self?.sendEverything(to: returnAddress)
      for await events in events {
        guard let self, await send(events, to: sender) else { return }
      }
    }
    subscribers[sender] = subscriber
    reply(request, "subscribed for \(OSCSubscriber.lease.components.seconds) s")
  }

  /// Ends the subscriptions of the sender and of the return address, as a program may send from several ports.
  func unsubscribe(_ sender: OSCEndpoint, _ returnAddress: OSCEndpoint) {
    drop(sender)
    for (address, subscriber) in subscribers where subscriber.returnAddress == returnAddress {
      drop(address)
    }
  }

  /// Renews the lease of a peer that has sent a message.
  func keep(_ sender: OSCEndpoint) { subscribers[sender]?.renew() }

  func drop(_ sender: OSCEndpoint) {
    subscribers.removeValue(forKey: sender)?.events?.cancel()
  }

  /// Sends events to a subscriber; returns false if the subscription has ended.
  private func send(_ events: [any RackEvent], to sender: OSCEndpoint) async -> Bool {
    for event in events {
      guard let subscriber = subscribers[sender], !Task.isCancelled else { return false }
      if subscriber.hasEnded {
        drop(sender)
        return false
      }
      switch event {
      case is RackReplaced: await sendEverything(to: subscriber.returnAddress)
      case let values as ValuesChanged:
        let addresses = await freshAddresses()
        let messages = values.readings.compactMap { reading in
          addresses.address(of: reading.parameter).map { OSCMessage($0, .float(reading.value)) }
        }
        if !messages.isEmpty { send(messages, to: subscriber.returnAddress) }
      case let learning as Learning:
        let message = OSCMessage("/learning", .text(learning.to), .text("\(learning)"))
        send(message, to: subscriber.returnAddress)
      case let state as SessionState: send(Self.messages(state), to: subscriber.returnAddress)
      case let log as LogAdded:
        send(log.entries.map { OSCMessage("/log", .text($0.text)) }, to: subscriber.returnAddress)
      case let telemetry as TelemetryRead:
        send(telemetry.readings.map(Self.message), to: subscriber.returnAddress)
      case let meters as RackMeters:
        send(Self.messages(meters), to: subscriber.returnAddress)
      default: break
      }
    }
    return true
  }

  /// Sends the rack's name and every value.
  private func sendEverything(to returnAddress: OSCEndpoint) async {
    let addresses = await freshAddresses()
    let listing = await session.listing()
    let values = listing.parameters.compactMap { parameter in
      addresses.address(of: parameter.parameter).map { OSCMessage($0, .float(parameter.value)) }
    }
    send([OSCMessage("/rack", .text(listing.rack))] + values, to: returnAddress)
  }

  private static func messages(_ state: SessionState) -> [OSCMessage] {
    [
      OSCMessage("/state/undo", .text(state.undo ?? "")),
      OSCMessage("/state/redo", .text(state.redo ?? "")),
      OSCMessage("/state/is_saved", .boolean(state.isSaved)),
      OSCMessage("/state/scene", .text(state.scene ?? "")),
      OSCMessage("/state/song", .text(state.song ?? "")),
      OSCMessage("/state/next_song", .text(state.nextSong ?? "")),
    ]
  }

  private static func message(_ reading: TelemetryReading) -> OSCMessage {
    let values: [Float] =
      switch reading.values {
      case .spectrum(let bands): bands
      case .scope(let picture): picture.left + picture.right
      case .tuner(let tuner): [tuner.frequency, Float(tuner.note), tuner.cents, tuner.clarity]
      case .array(let values): values
      }
    let address = OSCAddresses.address(of: "\(reading.unit).\(reading.signal)")
    return OSCMessage("/telemetry\(address)", values.map { .float($0) })
  }

  private static func messages(_ meters: RackMeters) -> [OSCMessage] {
    [("inputs", meters.inputs), ("outputs", meters.outputs), ("units", meters.units)].flatMap {
      kind, meters in
      meters.map {
        OSCMessage(
          "/meters/\(kind)\(OSCAddresses.address(of: $0.name))", .float($0.peak), .float($0.rms))
      }
    }
  }
}
