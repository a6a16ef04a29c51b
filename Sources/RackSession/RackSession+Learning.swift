import RackEngine
import RackModel

/// MIDI learn: what is moved next moves a parameter, a bypass or a scene from then on.
extension RackSession {
  /// How long it listens.
  private static let patience = Duration.seconds(60)

  /// Listens from now on, in the place of what it listened for before; nil ends it.
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
    // Says what is wrong with the target, whatever is moved.
    _ = try RackEditor(checker(rack)).apply(
      .map(from: "\(port.name) cc 1", settings), to: rack)
    endLearning()
    await engine.beginHearing()
    learning = (settings, Task { [weak self] in await self?.listen(for: settings) })
    feeds.note(Learning(to: settings.to))
    return "learn \(settings.to): move what is to move it"
  }

  private func endLearning() {
    guard let learning else { return }
    learning.task.cancel()
    self.learning = nil
    feeds.note(Learning(to: learning.settings.to, error: "cancelled"))
  }

  private func listen(for settings: ControlSettings) async {
    var learner = ControlLearner()
    let end = ContinuousClock.now + Self.patience
    while !Task.isCancelled, ContinuousClock.now < end {
      let heard = await engine.takeHeardMIDI()
      // What comes to the set list's own input is none of the rack's.
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
    // Another may have begun to listen.
    guard !Task.isCancelled else { return }
    learning = nil
    await engine.endHearing()
    feeds.note(Learning(to: settings.to, error: "nothing was moved within 60 s"))
  }

  private func finish(_ settings: ControlSettings, from source: String) async {
    guard !Task.isCancelled else { return }
    learning = nil
    await engine.endHearing()
    do {
      let done = try await perform(.edit(.map(from: source, settings)))
      feeds.note(Learning(to: settings.to, done: done))
    } catch {
      feeds.note(Learning(to: settings.to, error: "\(error)"))
    }
  }
}
