import ArgumentParser
import AsyncSupport
import AudioUnits
import Documents
import OSC
import RackControl
import RackEngine
import RackModel
import RackSession
import RackStage

/// Plays a rack until a signal ends it, or the server where that is asked for; tells what goes on, and has
/// it controlled.
struct Player: Sendable {
  let catalogue: ComponentCatalogue
  let server: ServerOptions
  let osc: OSCOptions
  let log: EventLog?
  /// Of the session that it takes part in.
  var project: ManagedProject?
  /// Whether live changes are written into the rack file.
  var writesBack = false
  /// Called once the rack plays; an error ends the program.
  var atStart: @Sendable (Engine) async throws -> Void = { _ in }

  /// `reload` reads it again, for USR1, and, where it `watches`, whenever one of its files says something
  /// else; what has been `told` is not told again.
  func play(
    _ performance: Performance, watches: Bool = false, told: [Diagnostic] = [],
    reload: @escaping @Sendable () -> (performance: Performance?, diagnostics: [Diagnostic])
  ) async throws {
    let opening: Performance.Opening
    do {
      opening = try Performance.Opening(performance, catalogue: catalogue)
    } catch {
      throw Terminal.refusal("\(error)")
    }
    let rack = opening.rack
    let display = log == nil && Terminal.outputIsTerminal ? StatusDisplay() : nil
    let service = ServiceManager()
    let signals = Signals(reloads: true) {
      tell(
        .remark(
          "Ctrl-Z is refused: a suspended client stops the JACK server; Ctrl-C ends the rack"),
        display)
    }
    defer { withExtendedLifetime(signals) {} }
    let lastRead = Guarded(Performance.Reading(performance: performance, diagnostics: told))
    let (wishes, wishing) = AsyncStream.makeStream(of: Wish.self)
    let watcher = BundleWatcher(catalogue: catalogue) { wishing.yield(.take($0)) }
    watcher.watch(rack.plan)
    let files = RackFileWatchers { wishing.yield(.follow) }
    if watches { files.watch(performance.files) }
    defer { withExtendedLifetime(files) {} }
    let engine: Engine
    do {
      engine = try await Engine.start(
        opening.plan, catalogue: catalogue, server: server.server, options: server.options,
        endsWithServer: server.endWithServer, takesTimebase: server.timebase,
        clientName: project?.project.clientName ?? opening.clientName)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.failed
    }
    do {
      try await atStart(engine)
    } catch {
      await engine.stop()
      Terminal.complain("error: \(error)")
      throw ExitCode.failed
    }
    let session = await RackSession(
      rack, engine: engine, sources: RackLoader.sources(catalogue),
      setListPlayer: opening.setListPlayer)
    if writesBack { await session.writeBack() }
    let control = await control(session, display)
    await project?.opened(session, isSetList: opening.setListPlayer != nil)
    let oscServer = await listen(session, display)
    let status = await engine.status()
    if let remark = server.remark(
      sampleRate: Int(status.sampleRate), period: status.bufferSize, isOurs: engine.ownsServer)
    {
      tell(.remark(remark), display)
    }
    let watching = Task { await watch(engine, display, service) }
    if let song = opening.song { await engine.tell(.song(song)) }
    let proving = Task { await prove(engine, service) }
    defer { proving.cancel() }
    let drawing = Task { await draw(session, display) }
    let listening = Task { [stream = signals.stream] in
      for await signal in stream { wishing.yield(signal == .reload ? .reload : .stop) }
    }
    defer { listening.cancel() }
    let following = Task {
      for await change in session.changes() where change.rack != nil {
        watcher.watch(await session.rack.plan)
      }
    }
    defer { following.cancel() }
    // The server's end may end the wait like a signal does.
    let waiting = Task { () -> Void in
      var work: Task<Void, Never>?
      for await wish in wishes {
        if case .stop = wish { return }
        // By itself, so that a stop need not wait for it; one after the other.
        work = Task { [before = work] in
          await before?.value
          await self.follow(wish, session, display, lastRead, reload)
          if watches { files.watch(lastRead.withLock { $0.performance.files }) }
        }
      }
    }
    let ended = Task {
      let ended = await watching.value
      if ended != nil { waiting.cancel() }
      return ended
    }
    await waiting.value
    drawing.cancel()
    service?.stopping()
    await control?.stop()
    await oscServer?.stop()
    await project?.client.stop()
    await session.end()
    let saved = writesBack ? await session.saveOrCopy() : nil
    await engine.stop()
    let end = await ended.value
    await drawing.value
    display?.leave()
    if let saved { Terminal.complain(saved) }
    if let end {
      Terminal.complain("error: \(end)")
      throw ExitCode.serverEnded
    }
  }

  /// Starts the control socket; on failure prints a warning and returns nil, and the rack plays on.
  private func control(_ session: RackSession, _ display: StatusDisplay?) async -> ControlServer? {
    do {
      return try await ControlServer.start(session)
    } catch {
      tell(.warning("“backline ctl” cannot control this rack: \(error)"), display)
      return nil
    }
  }

  /// Starts OSC; on failure prints a warning and returns nil, and the rack plays on.
  private func listen(_ session: RackSession, _ display: StatusDisplay?) async -> OSCServer? {
    let socket: OSCSocket
    do throws(OSCError) {
      guard let opened = try osc.open() else { return nil }
      socket = opened
    } catch {
      let advice = error.isTaken ? "; give --osc another port, or 0 for any that is free" : ""
      tell(.warning("OSC cannot control this rack: \(error)\(advice)"), display)
      return nil
    }
    if let endpoint = socket.endpoint { tell(.remark("OSC at osc.udp://\(endpoint)/"), display) }
    return await OSCServer.start(session, on: socket) { tell(.warning($0), display) }
  }

  /// Prints events; returns the last one if the server's end ended the rack.
  private func watch(
    _ engine: Engine, _ display: StatusDisplay?, _ service: ServiceManager?
  ) async -> EngineEvent? {
    var isReady = false
    let limiter = EventLimiter { tell($0, display) }
    for await event in engine.events {
      await tell(service, event, engine)
      switch event {
      case .ended: return event
      // The display has it in its second line.
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
      default: if limiter.admits(event) { tell(event, display) }
      }
    }
    return nil
  }

  /// Sends the state of the rack to systemd.
  private func tell(_ service: ServiceManager?, _ event: EngineEvent, _ engine: Engine) async {
    guard let service else { return }
    switch event {
    case .playing, .serverReturned:
      let status = await engine.status()
      service.ready(
        "playing \(status.rack), \(Int(status.sampleRate)) Hz, \(status.bufferSize) frames")
    case .serverLost: service.note("waiting for the JACK server")
    default: break
    }
  }

  /// Answers systemd's watchdog as long as the engine answers.
  private func prove(_ engine: Engine, _ service: ServiceManager?) async {
    guard let service, let interval = service.watchdogInterval else { return }
    while !Task.isCancelled {
      _ = await engine.status()
      service.ping()
      try? await Task.sleep(for: interval)
    }
  }

  private func tell(_ event: EngineEvent, _ display: StatusDisplay?) {
    if let log {
      log.note(event)
    } else if let display {
      display.note("\(event)")
    } else {
      Terminal.write("\(event)\n")
    }
  }

  private func tell(_ diagnostic: Diagnostic, _ display: StatusDisplay?) {
    if let log { log.note(diagnostic) } else { tell(.remark("\(diagnostic)"), display) }
  }

  private func draw(_ session: RackSession, _ display: StatusDisplay?) async {
    guard let display else { return }
    var last: Int64?
    while !Task.isCancelled {
      let status = await session.status(since: last)
      last = status.sampleTime
      display.draw(status)
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  /// A task for the playing rack.
  private enum Wish: Sendable {
    case stop
    /// Load the file with all its values.
    case reload
    /// Follow the changes of the file.
    case follow
    /// Handle a changed bundle of one of the rack's units.
    case take(ComponentChange)
  }

  private func follow(
    _ wish: Wish, _ session: RackSession, _ display: StatusDisplay?,
    _ lastRead: Guarded<Performance.Reading>,
    _ load: @Sendable () -> (performance: Performance?, diagnostics: [Diagnostic])
  ) async {
    do {
      switch wish {
      case .stop: break
      case .take(.appeared(let component)), .take(.changed(let component)):
        let missing = await session.rack.plan.missing.map(\.name)
        let diagnostics = try await session.renew()
        let stillMissing = await session.rack.plan.missing.map(\.name)
        let healed = missing.filter { !stillMissing.contains($0) }
        tell(
          .remark(
            healed.isEmpty
              ? "\(component.name) was rebuilt and is loaded"
              : "\(component.name) is available now: \(healed.joined(separator: ", ")) plays"),
          display)
        for diagnostic in diagnostics { tell(diagnostic, display) }
        if !diagnostics.isEmpty {
          tell(.warning("the rack does not fit the new bundle; the old one plays on"), display)
        }
      case .take(.refused(let bundle)):
        for problem in bundle.problems { tell(.remark(problem), display) }
        tell(.warning("\(bundle.bundle.path) cannot be used; the old unit plays on"), display)
      case .take(.vanished), .take(.tagged): break
      case .reload, .follow:
        let (performance, diagnostics) = load()
        let last = lastRead.withLock { $0 }
        for diagnostic in diagnostics where !last.hasTold(diagnostic) {
          tell(diagnostic, display)
        }
        lastRead.withLock { ($0.diagnostics, $0.isWrong) = (diagnostics, performance == nil) }
        guard let performance else {
          tell(.warning("the \(last.kind) is wrong; what was playing goes on"), display)
          return
        }
        switch (performance, last.performance) {
        case (.setList(let list), _): try await session.follow(list)
        case (.rack(let rack, _), .rack):
          if case .follow = wish {
            try await session.follow(rack)
          } else {
            try await session.load(rack, title: "load \(rack.plan.name)")
          }
        case (.rack, .setList): break
        }
        lastRead.withLock { $0.performance = performance }
        if last.isWrong {
          tell(.remark("the \(last.kind) is right again, and plays as written"), display)
        }
      }
    } catch {
      guard await !session.hasEnded else { return }
      tell(.warning("\(error); what was playing goes on"), display)
    }
  }
}
