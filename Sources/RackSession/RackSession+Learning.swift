import RackEngine
import RackModel

/// MIDI learn: assigns the control that is moved next.
extension RackSession {
  /// How long to wait for a control.
  private static let timeout = Duration.seconds(60)

  /// Starts to wait for a control, in the place of an earlier learning; nil cancels it.
  func learn(_ settings: ControlSettings?) async throws -> String {
    guard let settings else {
      guard learning != nil else { throw Refusal("nothing is being learned") }
      endLearning()
      return "learning no more"
    }
    guard let port = rack.plan.midiInputs.first else {
      throw Refusal("the rack has no MIDI input; give it one: inputs: { keys: { midi: true } }")
    }
    // Refuses a wrong target before a control is moved.
    _ = try RackEditor(checker(rack)).apply(
      .map(from: "\(port.name) cc 1", settings), to: rack)
    endLearning()
    let reader = await engine.startReadingMIDI()
    learning = (
      settings,
      Task { [weak self, engine] in
        await self?.listen(as: reader, for: settings)
        await engine.stopReadingMIDI(reader)
      }
    )
    feed.note(Learning(to: settings.to))
    return "learn \(settings.to): move what is to move it"
  }

  private func endLearning() {
    guard let learning else { return }
    learning.task.cancel()
    self.learning = nil
    feed.note(Learning(to: learning.settings.to, error: "cancelled"))
  }

  private func listen(as reader: Int, for settings: ControlSettings) async {
    var learner = ControlLearner()
    let end = ContinuousClock.now + Self.timeout
    while !Task.isCancelled, ContinuousClock.now < end {
      await read(reader, into: &learner)
      if let found = learner.found(at: .now) {
        await finish(settings, found, &learner, reader)
        return
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    // Another learning may have started.
    guard !Task.isCancelled else { return }
    learning = nil
    feed.note(Learning(to: settings.to, error: "nothing was moved within 60 s"))
  }

  private func read(_ reader: Int, into learner: inout ControlLearner) async {
    let messages = await engine.readMIDI(reader)
    // The set list's own MIDI input does not belong to the rack.
    let ports = rack.plan.midiInputs.map(\.name)
    for message in messages where ports.contains(message.port) {
      learner.hear(message.bytes, port: message.port, at: .now)
    }
  }

  private func finish(
    _ settings: ControlSettings, _ found: ControlLearner.Found, _ learner: inout ControlLearner,
    _ reader: Int
  ) async {
    guard !Task.isCancelled else { return }
    learning = nil
    do {
      let done = try await perform(.edit(.map(from: "\(found.port) \(found.source)", settings)))
      // The parameter goes to where the knob was turned while it was learned.
      if isKnob(found) {
        await read(reader, into: &learner)
        await engine.follow(learner.moves.map { ReceivedMIDI(port: found.port, bytes: $0) })
      }
      feed.note(Learning(to: settings.to, done: done))
    } catch {
      feed.note(Learning(to: settings.to, error: "\(error)"))
    }
  }

  /// Whether what was found has a position and moves a parameter to it.
  private func isKnob(_ found: ControlLearner.Found) -> Bool {
    switch found.source.kind {
    case .note, .program: return false
    default: break
    }
    return rack.plan.controls.contains { control in
      guard rack.plan.midiInputs[control.port].name == found.port, control.source == found.source,
        case .move(.parameter, .absolute, _, _, _) = control.action
      else { return false }
      return true
    }
  }
}
