import Documents
import RackEngine
import RackModel
import RackSession
import UnitModel

/// Answers the requests of every transport: checks whether the peer may send them, and passes them to the
/// session or the engine.
public struct Dispatcher: Sendable {
  public let session: RackSession
  private var engine: Engine { session.engine }

  public init(_ session: RackSession) { self.session = session }

  /// Carries out a request.
  ///
  /// - Throws: an error with the reason, for people; nothing has changed then.
  public func answer(_ request: Request, from peer: Peer) async throws -> Answer {
    let request = await resolved(request)
    try await authorise(request, of: peer)
    switch request {
    case .command(.save(let request)):
      let (done, revision) = try await session.saveRevision(request)
      return .saved(done, revision: revision)
    case .command(.set(let parameter, let value)):
      let done = try await session.perform(.set(parameter: parameter, value: value), from: peer)
      return .moved(done, try await session.reading(of: parameter))
    case .touch(let parameter):
      return .moved("\(parameter) is held", try await session.touch(parameter, by: peer))
    case .release(let parameter):
      return .moved("\(parameter) is released", try await session.release(parameter, by: peer))
    case .midi(let bytes, let target):
      try await session.send(midi: bytes, to: target, from: peer)
      return .done("sent to \(target)")
    case .express(let expression, let value, let key, let channel, let target):
      try await session.express(expression, to: value, key: key, channel: channel, of: target)
      return .done("sent to \(target)")
    case .command(let command): return .done(try await session.perform(command, from: peer))
    case .get(let parameter): return .reading(try await session.reading(of: parameter))
    case .list: return .listing(await session.listing())
    case .catalogue: return .catalogue(await session.catalogue())
    case .picture: return .picture(await session.drawing())
    case .layout(let name, let place):
      return .done(try await session.layout(name, at: place))
    case .log: return .log(await engine.log)
    case .status(let since): return .status(await session.status(since: since))
    case .metrics: return .text(Metrics(await engine.status(), await session.listing()).text)
    case .tempo(nil): return .done(await engine.tempoText())
    case .tempo(let value?): return .done(try await engine.setTempo(value))
    case .tap: return .done(try await engine.tap())
    case .play:
      try await engine.startTransport()
      return .done("the transport rolls")
    case .stop:
      try await engine.stopTransport()
      return .done("the transport is stopped")
    case .locate(let seconds):
      try await engine.locate(seconds)
      let time = Quantity.format(Float(seconds), for: CommandDeclaration.transportTime)
      return .done("the transport is at \(time)")
    case .panic: return .done(try await engine.panic())
    case .savePreset(let preset, let unit, let replaces):
      return .done(try await session.savePreset(preset, of: unit, replaces: replaces))
    case .deletePreset(let preset, let unit):
      return .done(try await session.deletePreset(preset, of: unit))
    case .restart(let unit):
      try await engine.restartProcess(of: unit)
      return .done("\(unit) is restarted")
    case .startRecording(var recording):
      if recording.path.isEmpty { recording.path = await session.usualRecordingPath }
      return .done(try await engine.startRecording(recording))
    case .stopRecording: return .done(try await engine.stopRecording())
    case .startMoves(let file): return .done(try await engine.startMoves(file: file))
    case .stopMoves(let file): return .done(try await engine.stopMoves(file: file))
    case .watch(let signals):
      try await session.watch(signals, for: peer)
      return .done(
        signals.isEmpty ? "watching nothing" : "watching \(signals.joined(separator: ", "))")
    case .message(let message, let channel, let unit):
      return .text(try await session.send(message: message, channel: channel, to: unit))
    case .guest: return .done("a guest, who names no files")
    // The transport that the peer uses sends the events.
    case .subscribe: return .done("subscribed")
    case .unsubscribe: return .done("unsubscribed")
    }
  }

  /// A peer has gone.
  func leave(_ peer: Peer) async { await session.leave(peer) }

  /// The events of a subscription from now on.
  func changes(
    of subscription: Request.Subscription, for peer: Peer
  ) -> some AsyncSequence<[ControlEvent], Never> & Sendable {
    session.changes(for: peer, meters: subscription.meters).map(ControlEvent.events)
  }

  /// Passes on the messages of the rack's MIDI inputs, at most ten times a second, until the task is
  /// cancelled.
  func receiveMIDI(_ receive: ([ControlEvent]) async -> Void) async {
    for await messages in await engine.receivedMIDI() where !messages.isEmpty {
      await receive([.midi(MIDIMessages(messages))])
    }
  }

  private func resolved(_ request: Request) async -> Request {
    guard case .command(let command) = request, case .set = command else { return request }
    return .command(await session.resolved(command))
  }

  /// - Throws: `Refusal` if a peer of the network names a file.
  private func authorise(_ request: Request, of peer: Peer) async throws(Refusal) {
    guard peer.place == .network else { return }
    let namesFile =
      if case .command(.edit(.setProperty(let unit, let property, _))) = request {
        await session.namesFile(property, of: unit)
      } else {
        request.namesFile
      }
    if namesFile { throw Refusal("only programs of the rack's own machine may name files") }
  }
}
