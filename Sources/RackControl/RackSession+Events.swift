import RackModel
import RackSession

extension RackSession {
  /// The events of a subscription from now on.
  nonisolated func events(
    of subscription: Subscribe, for peer: Peer
  ) -> some AsyncSequence<[ControlEvent], Never> & Sendable {
    changes(for: peer, meters: subscription.meters).map(ControlEvent.events)
  }

  /// Passes on the messages of the rack's MIDI inputs, at most ten times a second, until the task is
  /// cancelled.
  nonisolated func receiveMIDI(_ receive: ([ControlEvent]) async -> Void) async {
    for await messages in await engine.receivedMIDI() where !messages.isEmpty {
      await receive([.midi(MIDIMessages(messages))])
    }
  }
}
