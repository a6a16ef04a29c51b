import AsyncSupport
import AudioUnits
import Dispatch
import Documents
import RackEngine
import RackModel

/// A session of a rack that plays: carries out commands, with undo and redo.
///
/// The commands of all transports pass through the session. An edit changes the rack file as a value, which is
/// checked like a file; the engine then plays the new rack without a click.
public actor RackSession {
  public nonisolated let engine: Engine
  let sources: RackSources
  /// The rack with the values of the last edit. The units have the present values.
  public internal(set) var rack: CheckedRack
  var history = History() { didSet { feed.sessionMayHaveChanged() } }
  var records = RackRecords()
  /// Whether live changes are written into a rack's file before another rack is loaded.
  private(set) var writesBack = false
  var setListPlayer: SetListPlayer? { didSet { feed.sessionMayHaveChanged() } }
  var nextSong = NextSong.none { didSet { feed.sessionMayHaveChanged() } }
  var sceneStart: SceneStart { didSet { feed.sessionMayHaveChanged() } }
  /// The revision that was read or saved last.
  var savedRevision = 0 { didSet { feed.sessionMayHaveChanged() } }
  var holds = Holds()
  var ramps = Ramps()
  /// The units of `rack` while the engine replaces them.
  var unitsWhileReplacing: [NamedUnit]?
  /// The MIDI control to assign, and the task that waits for its messages; nil without a MIDI learn.
  var learning: (control: Rack.Control, task: Task<Void, Never>)?
  nonisolated let feed = EventFeed()
  let telemetry: TelemetryFeed
  private let mutex = AsyncMutex()
  /// The session's own queue: reading, checking and saving files must not block the cooperative pool.
  private let executor = QueueExecutor(label: "backline.session")
  /// Whether the session has ended: it answers only questions then.
  public private(set) var hasEnded = false

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - rack: the rack that `engine` plays.
  ///   - setListPlayer: the set list that the rack belongs to; nil without one.
  public init(
    _ rack: CheckedRack, engine: Engine, sources: RackSources, setListPlayer: SetListPlayer? = nil
  ) async {
    (self.rack, self.engine, self.sources, self.setListPlayer) = (
      rack, engine, sources, setListPlayer
    )
    telemetry = TelemetryFeed(feed, catalogue: engine.catalogue)
    sceneStart = SceneStart(units: rack.plan.units)
    records.add(setListPlayer.flatMap { $0.list.racks[$0.position] } ?? rack)
    // If several songs are requested while one is prepared, the last is played.
    let (songs, songCaller) = AsyncStream<any Command>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (commands, caller) = AsyncStream<any Command>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let (gestures, unitGestures) = AsyncStream<(String, UnitGesture)>.makeStream(
      bufferingPolicy: .bufferingNewest(4096))
    await engine.observe { [feed] change in
      switch change {
      case .rack(let units):
        feed.observe(units)
        let names = Set(units.map(\.name))
        Task { [weak self] in await self?.leaveUnits { !names.contains($0) } }
      case .bypass(let unit, let isBypassed):
        let path = ParameterPath(unit: unit, keyPath: ParameterPath.bypass)
        feed.postValue(isBypassed ? 1 : 0, of: path, .bypass)
      case .event(let event, let entry):
        feed.post(LogAdded(entry))
        if case .unit(let name, .process) = event {
          Task { [weak self] in await self?.leaveUnits { $0 == name } }
        }
        if case .scene(let name) = event {
          Task { [weak self] in await self?.followRecall(name) }
        }
      case .gesture(let unit, let gesture): unitGestures.yield((unit, gesture))
      case .song(let name): songCaller.yield(PlaySong(name: name))
      case .command(let call):
        guard let command = try? Commands.read(call) else {
          Task { [engine] in await engine.report(.warning("“\(call)” cannot be called")) }
          break
        }
        // Each of several calls of “next” counts.
        (command is PlaySong ? songCaller : caller).yield(command)
      }
    }
    startScene(setListPlayer?.sceneName)
    for stream in [songs, commands] {
      Task { [weak self] in for await command in stream { await self?.performCalled(command) } }
    }
    Task { [weak self] in
      for await (unit, gesture) in gestures { await self?.follow(gesture, of: unit) }
    }
    prepareNext()
  }

  /// Enables writing of live changes into a rack's file before another rack is loaded.
  public func writeBack() { writesBack = true }

  /// Carries out a command line: `set echo.mix 30 %`, `ramp echo.mix 0 % --over 4s`. Names with spaces are in double
  /// quotes.
  ///
  /// - Throws: an error with the reason; nothing has changed then.
  @discardableResult
  public func perform(_ line: String, from peer: Peer? = nil) async throws -> Answer {
    try await perform(try Commands.read(line: line), from: peer)
  }

  /// Carries out a command.
  ///
  /// Gestures and questions are carried out at once, also during a slow command. All other commands are carried out
  /// one after the other.
  ///
  /// - Parameter peer: the sender, which is not sent the value that it sets; nil for the program itself.
  /// - Throws: an error with a readable reason; nothing has changed then.
  @discardableResult
  package func perform(_ command: any Command, from peer: Peer? = nil) async throws -> Answer {
    try authorise(command, from: peer)
    switch command.lane(in: self) {
    case .turn:
      return try await inTurn {
        // Another unit may have the name by now.
        try authorise(command, from: peer)
        return try await command.run(in: self, from: peer)
      }
    case .gesture: try checkRuns()
    case .question: break
    }
    return try await command.run(in: self, from: peer)
  }

  private func authorise(_ command: any Command, from peer: Peer?) throws(Refusal) {
    guard let peer, peer.access < command.access(in: self) else { return }
    throw Refusal(
      peer.access == .stage
        ? "this device plays and does not edit"
        : "only programs of the rack's own machine may name files")
  }

  /// Returns the lane of a command in this session.
  package func lane(of command: any Command) -> CommandLane { command.lane(in: self) }

  /// Carries out a command that a MIDI control or program change has called. Reports an error as a warning.
  private func performCalled(_ command: any Command) async {
    do {
      try await perform(command)
    } catch {
      await engine.report(.warning("\(error); what was playing goes on"))
    }
  }

  /// Sets a parameter, in its unit, or a bypass, to 0 or 1: `set("echo.mix", 30)`.
  ///
  /// - Throws: `Refusal` if there is no such parameter, or the value is outside its range.
  public func set(_ parameter: String, _ value: Float) async throws {
    try await perform(SetParameter(parameter: parameter, value: "\(value)"))
  }

  /// The queue that writes presets and data of units.
  static let writing = DispatchQueue(label: "backline.writing")
  private static let reading = DispatchQueue(label: "backline.reading")

  /// Reads a rack on a queue of its own, so that a slow disk or library does not delay gestures and questions.
  ///
  /// - Throws: `Refusal` with the errors of the rack.
  func readRack(_ name: String) async throws -> (rack: CheckedRack, warnings: [Diagnostic]) {
    let (rack, diagnostics) = await Self.reading.answer { [load = sources.load] in load(name) }
    if let rack { return (rack, diagnostics.filter { $0.severity == .warning }) }
    throw Refusal(
      diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"))
  }

  func report(_ warnings: [Diagnostic]) async {
    for warning in warnings { await engine.report(.warning(warning.withoutSeverity)) }
  }

  /// Plays a rack with the values of its file.
  ///
  /// - Parameter title: the title of the step to undo.
  /// - Throws: an error with the reason; nothing has changed then.
  public func load(_ rack: CheckedRack, title: String) async throws {
    try await inTurn { _ = try await play(rack, title: title) }
  }

  /// Plays the same rack with the catalogue's present units and with the present files of units, after a bundle or
  /// a file has changed.
  ///
  /// - Returns: the diagnostics if the rack has errors, with nothing changed; otherwise an empty array.
  public func renew() async throws -> [Diagnostic] {
    try await inTurn {
      let present = await present()
      let (renewed, diagnostics) = checker(rack).check(present.file, withValuesOf: present)
      guard let renewed else { return diagnostics }
      try await replace(with: renewed, keeping: .all, files: .renewed)
      followScene()
      feed.postReplacement(by: rack.plan.name)
      return []
    }
  }

  /// Returns the rack checked against the present catalogue, whose units may have changed. Keeps the values of a
  /// preset that no longer exists, without its name.
  func renewed(_ rack: CheckedRack) -> CheckedRack {
    let checker = checker(rack)
    let rack = rack.withoutLostPresets(checker)
    return checker.check(rack.file, withValuesOf: rack).rack ?? rack
  }

  /// Returns the rack with the present values and bypasses, to be checked and written. Leaves out a preset that no
  /// longer exists, whose unit keeps the values.
  ///
  /// - Parameter atEndOfRamps: whether parameters that ramp have the values at the ends of their ramps.
  func present(atEndOfRamps: Bool = false) async -> CheckedRack {
    let units = await engine.namedUnits
    let present = rack.withValues(of: units, atEndOf: atEndOfRamps ? Array(ramps.all) : [])
    let kept = present.withoutLostPresets(checker(rack))
    for (former, entry) in zip(present.file.units, kept.file.units) where entry.preset == nil {
      guard let preset = former.preset?.value else { continue }
      let name = entry.name.value
      await engine.report(
        .warning("the preset “\(preset)” is gone; \(name) keeps its values, without the name"))
    }
    return kept
  }

  /// Returns a checker for edits of a rack. Only units that are missing already may be missing.
  func checker(_ rack: CheckedRack) -> RackChecker {
    var checker = sources.checker(rack.folder)
    let missing = Set(rack.plan.missing.map(\.unit))
    checker.mayMiss = { missing.contains($0) }
    return checker
  }

  /// Refuses all further commands but questions, also commands that wait. Returns after the present command. Stop
  /// the engine after this call, not before: a save needs the values of its units.
  public func end() async {
    hasEnded = true
    await mutex.lock()
    mutex.unlock()
  }

  package func inTurn<Answer>(
    evenAtEnd: Bool = false, _ body: () async throws -> Answer
  ) async throws -> Answer {
    await mutex.lock()
    defer { mutex.unlock() }
    if !evenAtEnd { try checkRuns() }
    return try await body()
  }

  private func checkRuns() throws(Refusal) {
    if hasEnded { throw Refusal("the rack has ended") }
  }
}
