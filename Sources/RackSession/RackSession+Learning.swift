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
      await engine.endHearing()
      return "learning no more"
    }
    guard let port = rack.plan.midiInputs.first else {
      throw Refusal("the rack has no MIDI input; give it one: inputs: { keys: { midi: true } }")
    }
    // Refuses a wrong target before a control is moved.
    _ = try RackEditor(checker(rack)).apply(
      .map(from: "\(port.name) cc 1", settings), to: rack)
    endLearning()
    await engine.beginHearing()
    learning = (settings, Task { [weak self] in await self?.listen(for: settings) })
    feed.note(Learning(to: settings.to))
    return "learn \(settings.to): move what is to move it"
  }

  private func endLearning() {
    guard let learning else { return }
    learning.task.cancel()
    self.learning = nil
    feed.note(Learning(to: learning.settings.to, error: "cancelled"))
  }

  private func listen(for settings: ControlSettings) async {
    var learner = ControlLearner()
    let end = ContinuousClock.now + Self.timeout
    while !Task.isCancelled, ContinuousClock.now < end {
      let heard = await engine.takeHeardMIDI()
      // The set list's own MIDI input does not belong to the rack.
      let ports = rack.plan.midiInputs.map(\.name)
      for heard in heard where ports.contains(heard.port) {
        learner.hear(heard.bytes, port: heard.port, at: .now)
      }
      if let found = learner.found(at: .now) {
        await finish(settings, from: "\(found.port) \(found.source)")
        return
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    // Another learning may have started.
    guard !Task.isCancelled else { return }
    learning = nil
    await engine.endHearing()
    feed.note(Learning(to: settings.to, error: "nothing was moved within 60 s"))
  }

  private func finish(_ settings: ControlSettings, from source: String) async {
    guard !Task.isCancelled else { return }
    learning = nil
    await engine.endHearing()
    do {
      let done = try await perform(.edit(.map(from: source, settings)))
      feed.note(Learning(to: settings.to, done: done))
    } catch {
      feed.note(Learning(to: settings.to, error: "\(error)"))
    }
  }
}
