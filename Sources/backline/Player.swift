import ArgumentParser
import AsyncSupport
import Documents
import QRCode
import RackControl
import RackEngine
import RackModel
import RackSession
import RackStage

/// The front end of a stage that plays: terminal, log, systemd and signals.
struct Player: Sendable {
  let log: EventLog?
  private let display: StatusDisplay?
  private let service = ServiceManager()

  init(_ log: EventLog?) {
    self.log = log
    Terminal.reportCrashes()
    display = log == nil && Terminal.outputIsTerminal ? StatusDisplay() : nil
  }

  /// Plays until a signal, or until the server ends with `--end-with-server`.
  ///
  /// - Parameter atStart: a closure that is called once the rack plays; an error ends the rack.
  func play(
    server: ServerOptions, signals: Signals = Signals(isPlaying: true),
    atStart: (Engine) async throws -> Void = { _ in },
    start: () async throws -> Stage
  ) async throws {
    let stage = try await start()
    let engine = stage.engine
    do {
      try await atStart(engine)
    } catch {
      await stage.stop()
      throw error
    }
    let status = await engine.status()
    if let remark = server.remark(
      sampleRate: Int(status.sampleRate), period: status.bufferSize, isOurs: engine.ownsServer)
    {
      await engine.report(.remark(remark))
    }
    let waiting = Task { [stream = signals.stream] in
      for await signal in stream {
        switch signal {
        case .stop: return
        case .reload: await stage.reload()
        case .suspend:
          await engine.report(
            .remark(
              "Ctrl-Z is refused: a suspended client stops the JACK server; Ctrl-C ends the rack"))
        }
      }
    }
    let showing = Task {
      let end = await show(engine)
      if end != nil { waiting.cancel() }
      return end
    }
    let drawing = Task { await draw(stage.session) }
    let answering = Task { await answerWatchdog(engine) }
    await waiting.value
    for task in [drawing, answering] { task.cancel() }
    service?.stopping()
    let saved = await stage.stop()
    let end = await showing.value
    await drawing.value
    display?.leave()
    if let saved { Terminal.complain(saved) }
    if let end { throw Failure("\(end)", code: .serverEnded) }
    withExtendedLifetime(signals) {}
  }

  /// Prints events; returns the last one if the server's end ended the rack.
  private func show(_ engine: Engine) async -> EngineEvent? {
    var isReady = false
    let limiter = EventLimiter { show(.remark($0)) }
    for await event in engine.events {
      await report(event, engine)
      switch event {
      case .ended: return event
      // The display shows xruns in its second line.
      case .xrun where display != nil: break
      case .playing(let rack) where display == nil && !isReady:
        let status = await engine.status()
        if let log {
          log.ready(status)
        } else {
          Terminal.write(
            "ready: \(rack) as JACK client \"\(status.clientName)\", \(Int(status.sampleRate)) Hz,"
              + " \(status.bufferSize) frames\n")
        }
        isReady = true
      default: if limiter.admits(event) { show(event) }
      }
    }
    return nil
  }

  private func show(_ event: EngineEvent) {
    if let log {
      log.write(event)
    } else if let display {
      display.show((["\(event)"] + Self.codeLines(event)).joined(separator: "\n"))
    } else {
      Terminal.write("\(event)\n")
    }
  }

  /// Returns the lines of a QR code for the link of another device; empty for other events.
  private static func codeLines(_ event: EngineEvent) -> [String] {
    guard case .page(let link, isLocal: false) = event, let code = QRCode(link),
      code.columns <= Terminal.size.columns
    else { return [] }
    return code.terminalLines
  }

  /// Reports the state of the rack to systemd.
  private func report(_ event: EngineEvent, _ engine: Engine) async {
    guard let service else { return }
    switch event {
    case .playing, .serverReturned:
      let status = await engine.status()
      service.ready(
        "playing \(status.rack), \(Int(status.sampleRate)) Hz, \(status.bufferSize) frames")
    case .serverLost: service.report("waiting for the JACK server")
    default: break
    }
  }

  /// Notifies systemd's watchdog as long as the engine answers.
  private func answerWatchdog(_ engine: Engine) async {
    guard let service, let interval = service.watchdogInterval else { return }
    while !Task.isCancelled {
      _ = await engine.status()
      service.ping()
      try? await Task.sleep(for: interval)
    }
  }

  private func draw(_ session: RackSession) async {
    guard let display else { return }
    var last: Int64?
    while !Task.isCancelled {
      let status = await session.status(since: last)
      last = status.sampleTime
      display.draw(status)
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}
