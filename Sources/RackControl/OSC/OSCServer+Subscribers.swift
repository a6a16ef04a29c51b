import OSC
import RackEngine
import RackModel
import RackSession

extension OSCServer {
  /// Tells the sender of changes from now on, beginning with how everything stands; in the place of
  /// what it has subscribed to before, and of what was told to the same place.
  func subscribe(_ request: Request, meters rate: Double?, port: UInt16?) async throws {
    for (address, subscriber) in subscribers where subscriber.hasEnded { drop(address) }
    let sender = request.sender
    let returnAddress = port.map { sender.at(port: $0) } ?? sender
    unsubscribe(sender, returnAddress)
    guard subscribers.count < OSCSubscriber.most else {
      throw Refusal("more than \(OSCSubscriber.most) peers have subscribed")
    }
    var subscriber = OSCSubscriber(returnAddress: returnAddress)
    subscriber.meters = rate.map { rate in
      Task { [weak self, engine = session.engine] in
        while (try? await Task.sleep(for: .seconds(1 / rate))) != nil {
          let meters = ControlEvent.Meters(await engine.status())
          await self?.tell(meters, to: sender)
        }
      }
    }
    subscribers[sender] = subscriber
    follow()
    reply(request, "subscribed for \(OSCSubscriber.lease.components.seconds) s")
    await tellEverything(to: [sender])
  }

  /// A program may send each message from another port.
  func unsubscribe(_ sender: OSCEndpoint, _ returnAddress: OSCEndpoint) {
    drop(sender)
    for (address, subscriber) in subscribers where subscriber.returnAddress == returnAddress {
      drop(address)
    }
  }

  /// A peer that is heard of is there.
  func keep(_ sender: OSCEndpoint) { subscribers[sender]?.renew() }

  func drop(_ sender: OSCEndpoint) {
    subscribers.removeValue(forKey: sender)?.meters?.cancel()
  }

  /// Tells changes for as long as somebody wants to know.
  private func follow() {
    guard following == nil else { return }
    following = Task { [weak self, changes = session.changes()] in
      for await change in changes {
        guard let self, await tell(change) else { return }
        // What comes meanwhile is told together.
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Answers whether anybody is left.
  private func tell(_ change: RackChange) async -> Bool {
    for (address, subscriber) in subscribers where subscriber.hasEnded { drop(address) }
    for learning in change.learnings { tell(learning) }
    if change.rack != nil {
      await tellEverything(to: Array(subscribers.keys))
    } else {
      let addresses = await freshAddresses()
      for sender in subscribers.keys {
        guard var subscriber = subscribers[sender] else { continue }
        let messages = change.readings.compactMap { reading -> OSCMessage? in
          guard let address = addresses.address(of: reading.parameter),
            !subscriber.hasSet(reading.value, at: address)
          else { return nil }
          return OSCMessage(address, .float(reading.value))
        }
        subscribers[sender] = subscriber
        if !messages.isEmpty {
          send(messages.sorted { $0.address < $1.address }, to: subscriber.returnAddress)
        }
      }
    }
    if subscribers.isEmpty { following = nil }
    return !subscribers.isEmpty
  }

  private func tell(_ learning: Learning) {
    let message = OSCMessage("/learning", .text(learning.to), .text("\(learning)"))
    for subscriber in subscribers.values { send(message, to: subscriber.returnAddress) }
  }

  /// The rack's name and every value, as for a page that is drawn anew.
  private func tellEverything(to senders: [OSCEndpoint]) async {
    let addresses = await freshAddresses()
    let listing = await session.listing()
    let values = listing.readings.compactMap { reading in
      addresses.address(of: reading.parameter).map { OSCMessage($0, .float(reading.value)) }
    }
    let messages = [OSCMessage("/rack", .text(listing.rack))] + values
    for sender in senders {
      subscribers[sender]?.forgetSets()
      if let returnAddress = subscribers[sender]?.returnAddress {
        send(messages, to: returnAddress)
      }
    }
  }

  private func tell(_ meters: ControlEvent.Meters, to sender: OSCEndpoint) {
    guard let subscriber = subscribers[sender] else { return }
    guard !subscriber.hasEnded else { return drop(sender) }
    func messages(_ kind: String, _ meters: [EngineSnapshot.Meter]) -> [OSCMessage] {
      meters.map {
        OSCMessage("/meters/\(kind)/\($0.name)", .float($0.peak), .float($0.rms))
      }
    }
    send(
      messages("inputs", meters.inputs) + messages("outputs", meters.outputs)
        + messages("units", meters.units), to: subscriber.returnAddress)
  }
}
