import AsyncSupport
import AudioUnits
import Dispatch
import Documents
import RackEngine
import RackModel

/// A rack that plays, and the commands that change it, with undo and redo.
///
/// All commands pass through here, whichever transport they come from. An edit changes the rack file as a
/// value, which is checked like a file; the engine then plays it without a click.
public actor RackSession {
  public nonisolated let engine: Engine
  let sources: RackSources
  /// The rack as it is written, with the values of the last edit; the units have the present values.
  public internal(set) var rack: CheckedRack
  var history = History() { didSet { feed.noteState() } }
  var records = RackRecords()
  /// The contents of copies that were written, by path.
  var copies: [String: [UInt8]] = [:]
  /// Whether live changes are written into a rack's file before another is loaded.
  private(set) var writesBack = false
  var setListPlayer: SetListPlayer? { didSet { feed.noteState() } }
  /// The next song, once its units are made.
  var preparedSong: String? { didSet { feed.noteState() } }
  var sceneStart: SceneStart { didSet { feed.noteState() } }
  /// The revision that was read or saved last.
  var savedRevision = 0 { didSet { feed.noteState() } }
  /// The parameters that peers hold, and the notes that they play.
  var hands: [Peer: Hand] = [:]
  /// Makes the units of the next song.
  var preparing: Task<Void, Never>?
  /// The ramps under way.
  var ramps: [Int: Ramp] = [:]
  var rampCount = 0
  /// The units of `rack` while the engine replaces them.
  var unitsWhileReplacing: [NamedUnit]?
  /// Waits for the MIDI control that is to be assigned.
  var learning: (control: Rack.Control, task: Task<Void, Never>)?
  nonisolated let feed = ChangeFeed()
  let telemetry: TelemetryFeed
  private let mutex = AsyncMutex()
  /// Reading, checking and saving files must not block the cooperative pool.
  private let executor = QueueExecutor(label: "backline.session")
  /// Whether the session carries out no more commands.
  public private(set) var hasEnded = false

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - rack: the rack that `engine` plays.
  ///   - setListPlayer: the set list that it belongs to.
  public init(
    _ rack: CheckedRack, engine: Engine, sources: RackSources, setListPlayer: SetListPlayer? = nil
  ) async {
    (self.rack, self.engine, self.sources, self.setListPlayer) = (
      rack, engine, sources, setListPlayer
    )
    telemetry = TelemetryFeed(feed, catalogue: engine.catalogue)
    sceneStart = SceneStart(units: rack.plan.units)
    records.note(setListPlayer.flatMap { $0.list.racks[$0.position] } ?? rack)
    // If several songs are called for while one is prepared, the last is played.
    let (songs, songCaller) = AsyncStream<ControlCommand>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (commands, caller) = AsyncStream<ControlCommand>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let (gestures, unitHands) = AsyncStream<(String, UnitGesture)>.makeStream(
      bufferingPolicy: .bufferingNewest(4096))
    await engine.observe { [feed] change in
      switch change {
      case .rack(let units):
        feed.observe(units)
        let names = Set(units.map(\.name))
        Task { [weak self] in await self?.leaveUnits { !names.contains($0) } }
      case .bypass(let unit, let isBypassed):
        let path = ParameterPath(unit: unit, keyPath: ParameterPath.bypass)
        feed.note(path, value: isBypassed ? 1 : 0, info: .bypass)
      case .event(let event, let entry):
        feed.note(entry)
        if case .unit(let name, .process) = event {
          Task { [weak self] in await self?.leaveUnits { $0 == name } }
        }
        if case .scene(let name) = event {
          Task { [weak self] in await self?.noteRecalled(name) }
        }
      case .gesture(let unit, let gesture): unitHands.yield((unit, gesture))
      case .command(.song(let name)): songCaller.yield(.song(name))
      case .command(let command): caller.yield(command)
      }
    }
    startScene(setListPlayer?.sceneName)
    for stream in [songs, commands] {
      Task { [weak self] in for await command in stream { await self?.perform(command) } }
    }
    Task { [weak self] in
      for await (unit, gesture) in gestures { await self?.follow(gesture, of: unit) }
    }
    prepareNext()
  }

  /// From now on live changes are written into a rack's file before another is loaded.
  public func writeBack() { writesBack = true }

  /// Carries out a command and returns what was done, in a few words.
  ///
  /// Gestures (sets, ramps, resets, scenes) are carried out at once, also while a slow command is under
  /// way; all other commands one after the other.
  ///
  /// - Parameter peer: who sent it; is not sent the value that it sets.
  /// - Throws: an error with the reason; nothing has changed then.
  @discardableResult
  public func perform(_ command: Command, from peer: Peer? = nil) async throws -> String {
    let command = resolved(command)
    guard command.isGesture else {
      return try await inTurn { try await carryOut(command, from: peer) }
    }
    try checkRuns()
    return try await carryOut(command, from: peer)
  }

  /// Sets a parameter, in its unit, or a bypass (0 or 1): `set("echo.mix", 30)`.
  ///
  /// - Throws: `Refusal` if there is no such parameter, or it cannot have the value.
  public func set(_ parameter: String, _ value: Float) async throws {
    try await perform(.set(parameter: parameter, value: "\(value)"))
  }

  private func carryOut(_ command: Command, from peer: Peer?) async throws -> String {
    switch command {
    case .set(let parameter, let value):
      return try await set(try ParameterPath(parameter), to: value, from: peer)
    case .ramp(let parameter, let value, let time):
      return try ramp(try ParameterPath(parameter), to: value, over: time)
    case .reset(let parameter): return try await reset(try ParameterPath(parameter))
    case .setAll(let settings): return try await set(settings)
    case .scene(let name): return try await recall(name)
    case .storeScene(let name, let time): return try await storeScene(name, over: time)
    case .edit(let edit): return try await apply(edit)
    case .learn(let settings): return try await learn(settings)
    case .song(let name): return try await play(song: try place(ofSong: name))
    case .next: return try await play(song: try place(songsOn: 1))
    case .previous: return try await play(song: try place(songsOn: -1))
    case .file(let target, let isNext): return try await play(fileAfter: target, isNext: isNext)
    case .load(let name):
      var read = try await readRack(name)
      let saved = writesBack ? await savedOrCopied() : nil
      // Read again: it may be the file that has just been written.
      if saved != nil { read = try await readRack(name) }
      await report(read.warnings)
      let done = try await play(read.rack, title: "\(command)")
      return [done, saved].compactMap(\.self).joined(separator: "; ")
    case .reload: return try await reload()
    case .automation(let file): return try await automate(file)
    case .undo: return try await step(back: true)
    case .redo: return try await step(back: false)
    case .save(let request): return try await save(request)
    }
  }

  /// Saves; returns what was done and the revision that was saved.
  public func saveRevision(_ request: SaveRequest) async throws -> (done: String, revision: Int) {
    try await inTurn {
      let revision = self.revision
      return (try await save(request), revision)
    }
  }

  private static let reading = DispatchQueue(label: "backline.reading")

  /// Reads a rack on a queue of its own: a slow disk or library holds back no other command.
  func readRack(_ name: String) async throws -> (rack: CheckedRack, warnings: [Diagnostic]) {
    let (rack, diagnostics) = await Self.reading.answer { [load = sources.load] in load(name) }
    if let rack { return (rack, diagnostics.filter { $0.severity == .warning }) }
    throw Refusal(
      diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"))
  }

  func report(_ warnings: [Diagnostic]) async {
    for warning in warnings { await engine.report(.warning(warning.withoutSeverity)) }
  }

  /// Plays a rack that was read again, with the values of its file.
  public func load(_ rack: CheckedRack, title: String) async throws {
    try await inTurn { _ = try await play(rack, title: title) }
  }

  /// Plays the same rack with the catalogue's present units and with the files that they read, after a bundle
  /// was built anew or a file has changed. Returns the errors, with nothing changed, or an empty array.
  public func renew() async throws -> [Diagnostic] {
    try await inTurn {
      let present = await present()
      let (renewed, diagnostics) = checker(rack).check(present.file)
      guard let renewed else { return diagnostics }
      try await replace(with: renewed, keeping: .all, files: .renewed)
      feed.note(rack: rack.plan.name)
      return []
    }
  }

  /// Undoes the last step, or does the step undone last again.
  private func step(back: Bool) async throws -> String {
    guard let entry = back ? history.last : history.next else {
      throw Refusal("there is nothing to \(back ? "undo" : "redo")")
    }
    let start = sceneStart
    switch entry.step {
    case .values(let values):
      for value in values {
        try await apply(back ? value.before : value.after, to: value.path)
      }
    case .rack(let step):
      let (present, target) = back ? (step.after, step.before) : (step.before, step.after)
      try await go(
        from: step.isWhole ? rack.withAllValues(of: await engine.namedUnits) : present,
        to: renewed(target),
        renamed: back ? step.renamed.map { ($0.to, $0.from) } : step.renamed)
      await noteSong(back ? step.songs?.before : step.songs?.after)
    }
    if let former = entry.sceneStart { sceneStart = former }
    if back { history.stepBack(from: start) } else { history.stepForward(from: start) }
    return "\(back ? "undone" : "redone"): \(entry.title)"
  }

  /// The rack checked against the present catalogue, whose units may have changed; of a preset that no longer
  /// exists it has the values.
  func renewed(_ rack: CheckedRack) -> CheckedRack {
    let checker = checker(rack)
    return checker.check(rack.keepingLostPresets(checker).file).rack ?? rack
  }

  /// The rack with the present values and bypasses, to be checked and written. A preset that no longer exists
  /// is left out: its unit has the values.
  ///
  /// - Parameter atEndOfRamps: whether a parameter on its way to a value has that value.
  func present(atEndOfRamps: Bool = false) async -> CheckedRack {
    let units = await engine.namedUnits
    let present = rack.withValues(of: units, ramps: atEndOfRamps ? Array(ramps.values) : [])
    let kept = present.keepingLostPresets(checker(rack))
    for (former, entry) in zip(present.file.units, kept.file.units) where entry.preset == nil {
      guard let preset = former.preset?.value else { continue }
      let name = entry.name.value
      await engine.report(
        .warning("the preset “\(preset)” is gone; \(name) keeps its values, without the name"))
    }
    return kept
  }

  /// A checker for edits of a rack: units that are missing may stay missing, no others.
  func checker(_ rack: CheckedRack) -> RackChecker {
    var checker = sources.checker(rack.folder)
    let missing = Set(rack.plan.missing.map(\.unit))
    checker.mayMiss = { missing.contains($0) }
    return checker
  }

  /// Refuses all commands from now on, also those that wait; returns once the command under way is done. Stop
  /// the engine after this, not before: a save needs the values of its units.
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

extension Command {
  /// Whether a hand makes it and must not wait: it changes values, not the rack's structure.
  package var isGesture: Bool {
    switch self {
    case .set, .setAll, .ramp, .reset, .scene: true
    default: false
    }
  }
}
