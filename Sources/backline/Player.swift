import ArgumentParser
import AudioUnits
import RackEngine
import RackModel

/// Plays a plan until a signal or the server ends it, and tells what goes on.
struct Player: Sendable {
  let catalogue: ComponentCatalogue
  let server: JackServerChoice
  let options: JackServer.Options

  /// `reload` reads the rack again, for HUP.
  func play(
    _ plan: Plan, reload: @escaping @Sendable () -> (plan: Plan?, diagnostics: [Diagnostic])
  ) async throws {
    let signals = Signals()
    defer { withExtendedLifetime(signals) {} }
    let engine: Engine
    do {
      engine = try await Engine.start(
        plan, catalogue: catalogue, server: server, options: options)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.failed
    }
    let display = Terminal.outputIsTerminal ? StatusDisplay() : nil
    let watching = Task { await watch(engine, display) }
    let drawing = Task { await draw(engine, display) }
    // The server's end ends the wait like a signal does.
    let waiting = Task { [stream = signals.stream] () -> Bool in
      for await signal in stream {
        guard signal == .reload else { return true }
        await self.reload(engine, display, reload)
      }
      return false
    }
    let ended = Task {
      let ended = await watching.value
      if ended { waiting.cancel() }
      return ended
    }
    _ = await waiting.value
    drawing.cancel()
    await engine.stop()
    let serverEnded = await ended.value
    await drawing.value
    display?.finish()
    if serverEnded { throw ExitCode.serverEnded }
  }

  /// Tells events; true when the server has ended.
  private func watch(_ engine: Engine, _ display: StatusDisplay?) async -> Bool {
    for await event in engine.events {
      if case .playing(let rack) = event, display == nil {
        let status = await engine.status()
        Terminal.write(
          "ready: \(rack) as JACK client \"\(status.clientName)\", \(Int(status.sampleRate)) Hz,"
            + " \(status.bufferSize) frames\n")
        continue
      }
      tell(event, display)
      if case .ended = event { return true }
    }
    return false
  }

  private func tell(_ event: EngineEvent, _ display: StatusDisplay?) {
    if let display {
      display.note("\(event)")
    } else {
      Terminal.write("\(event)\n")
    }
    if case .ended = event { Terminal.complain("error: \(event)") }
  }

  private func draw(_ engine: Engine, _ display: StatusDisplay?) async {
    guard let display else { return }
    while !Task.isCancelled {
      display.draw(await engine.status())
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  private func reload(
    _ engine: Engine, _ display: StatusDisplay?,
    _ load: @Sendable () -> (plan: Plan?, diagnostics: [Diagnostic])
  ) async {
    let (plan, diagnostics) = load()
    for diagnostic in diagnostics { tell(.remark("\(diagnostic)"), display) }
    guard let plan else {
      return tell(.warning("the rack file is wrong; what was playing goes on"), display)
    }
    do {
      try await engine.replace(with: plan)
    } catch {
      tell(.warning("\(error); what was playing goes on"), display)
    }
  }
}
