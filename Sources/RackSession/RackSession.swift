import AsyncSupport
import AudioUnits
import Documents
import RackEngine
import RackModel

/// A rack that plays and the commands that change it, one after the other, with undo and redo.
///
/// The one place that commands go through, wherever they come from. What is edited is the rack as it
/// is written: it is checked like a file, and the engine takes it over without a click.
public actor RackSession {
  public nonisolated let engine: Engine
  let sources: RackSources
  /// As it is written, with the values of the last edit; those of now are the units' own.
  public internal(set) var rack: CheckedRack
  var history = History()
  var records = RackRecords()
  /// What was written as copies, by place.
  var copies: [String: [UInt8]] = [:]
  /// Is what was changed live written into a rack's file before another is loaded?
  private(set) var writesBack = false
  var concert: Concert?
  /// Makes the next song's units.
  var preparing: Task<Void, Never>?
  /// Under way.
  var ramps: [Int: Ramp] = [:]
  var rampCount = 0
  /// Listens for what is to move something.
  var learning: (settings: ControlSettings, task: Task<Void, Never>)?
  nonisolated let feeds = ChangeFeeds()
  private let turns = AsyncMutex()
  /// Is nothing carried out any more?
  public private(set) var hasEnded = false

  /// `rack` is what `engine` plays; `concert`, the set list that it is from.
  public init(
    _ rack: CheckedRack, engine: Engine, sources: RackSources, concert: Concert? = nil
  ) async {
    (self.rack, self.engine, self.sources, self.concert) = (rack, engine, sources, concert)
    records.note(concert.flatMap { $0.list.racks[$0.position] } ?? rack)
    await engine.observeRack { [feeds] in feeds.observe($0) }
    await engine.observeBypasses { [feeds] unit, isBypassed in
      let path = ParameterPath(unit: unit, keyPath: ParameterPath.bypass)
      feeds.note(ParameterReading(path, value: isBypassed ? 1 : 0, info: .bypass))
    }
    // Of songs that are called for while one is made ready, the last is played.
    let (songs, songCaller) = AsyncStream<ControlCommand>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (commands, caller) = AsyncStream<ControlCommand>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    await engine.observeCommands { command in
      if case .song = command { songCaller.yield(command) } else { caller.yield(command) }
    }
    for stream in [songs, commands] {
      Task { [weak self] in for await command in stream { await self?.perform(command) } }
    }
    prepareNext()
  }

  /// From now on what was changed live is written into a rack's file before another is loaded.
  public func writeBack() { writesBack = true }

  /// Carries a command out; answers what was done, in a few words.
  ///
  /// - Throws: an error that says why not; then all is as before.
  @discardableResult
  public func perform(_ command: Command) async throws -> String {
    try await inTurn {
      switch command {
      case .set(let parameter, let value):
        return try await set(try ParameterPath(parameter), to: value)
      case .ramp(let parameter, let value, let time):
        return try await ramp(try ParameterPath(parameter), to: value, over: time)
      case .reset(let parameter): return try await reset(try ParameterPath(parameter))
      case .scene(let name): return try await recall(name)
      case .edit(let edit): return try await apply(edit)
      case .learn(let settings): return try await learn(settings)
      case .song(let name): return try await play(song: try place(ofSong: name))
      case .next: return try await play(song: try place(songsOn: 1))
      case .previous: return try await play(song: try place(songsOn: -1))
      case .load(let name):
        var rack = try readRack(name)
        let saved = writesBack ? await savedOrCopied() : nil
        // It may be the file that has just been written.
        if saved != nil { rack = try readRack(name) }
        let done = try await take(rack, title: "\(command)")
        return [done, saved].compactMap(\.self).joined(separator: "; ")
      case .reload: return try await reload()
      case .automation(let file): return try await automate(file)
      case .undo: return try await undo()
      case .redo: return try await redo()
      case .save(let request): return try await save(request)
      }
    }
  }

  /// Saves, and answers besides what was done how many changes there had been before.
  public func saveCounting(_ request: SaveRequest) async throws -> (done: String, changeCount: Int)
  {
    try await inTurn {
      let count = changeCount
      return (try await save(request), count)
    }
  }

  private func readRack(_ name: String) throws -> CheckedRack {
    let (rack, diagnostics) = sources.load(name)
    if let rack { return rack }
    throw Refusal(diagnostics.map(\.description).joined(separator: "\n"))
  }

  /// Plays a rack that has been read anew in the place of this one, values and all.
  public func load(_ rack: CheckedRack, title: String) async throws {
    try await inTurn { _ = try await take(rack, title: title) }
  }

  /// Plays the same rack with what the catalogue has now, such as a unit that was built anew; answers
  /// what is wrong with it, with nothing changed, or nothing.
  public func renew() async throws -> [Diagnostic] {
    try await inTurn {
      let present = await present()
      let (renewed, diagnostics) = checker(rack).check(present.file)
      guard let renewed else { return diagnostics }
      try await engine.replace(with: heard(renewed.plan), keeping: .all)
      rack = renewed
      feeds.note(rack: rack.plan.name)
      return []
    }
  }

  private func undo() async throws -> String {
    guard let entry = history.last else { throw Refusal("there is nothing to undo") }
    switch entry.step {
    case .value(let path, let before, _): try await give(before, to: path)
    case .values(let values): for value in values { try await give(value.before, to: value.path) }
    case .rack(let step):
      try await go(
        from: await source(of: step, present: step.after), to: renewed(step.before),
        renamed: step.renamed.map { ($0.to, $0.from) })
      await stand(at: step.songs?.before)
    }
    history.stepBack()
    return "undone: \(entry.title)"
  }

  private func redo() async throws -> String {
    guard let entry = history.next else { throw Refusal("there is nothing to redo") }
    switch entry.step {
    case .value(let path, _, let after): try await give(after, to: path)
    case .values(let values): for value in values { try await give(value.after, to: value.path) }
    case .rack(let step):
      try await go(
        from: await source(of: step, present: step.before), to: renewed(step.after),
        renamed: step.renamed)
      await stand(at: step.songs?.after)
    }
    history.stepForward()
    return "done again: \(entry.title)"
  }

  /// What of the present rack is kept on the way back or forth: of an edit, all that it did not touch,
  /// as it is now; of a rack that took another's place, what is now as it was there.
  private func source(of step: History.RackStep, present: CheckedRack) async -> CheckedRack {
    step.isWhole ? rack.takingAll(await engine.namedUnits) : present
  }

  /// The catalogue may have a unit in another version than when the rack was checked; a preset that is
  /// gone by now is no hindrance.
  func renewed(_ rack: CheckedRack) -> CheckedRack {
    checker(rack).check(rack.file).rack ?? rack
  }

  /// The rack with the values and bypasses of now, fit to be checked and written: a preset that is gone
  /// by now is no hindrance, since its unit has the values.
  func present() async -> CheckedRack {
    let present = rack.taking(await engine.namedUnits)
    let kept = present.keepingLostPresets(checker(rack))
    for (former, entry) in zip(present.file.units, kept.file.units) where entry.preset == nil {
      guard let preset = former.preset?.value else { continue }
      let name = entry.name.value
      await engine.tell(
        .warning("the preset “\(preset)” is gone; \(name) keeps its values, without the name"))
    }
    return kept
  }

  /// For a rack; what is missing in it may go on missing, but nothing else may vanish.
  func checker(_ rack: CheckedRack) -> RackChecker {
    var checker = sources.checker(rack.folder)
    let missing = Set(rack.plan.missing.map(\.unit))
    checker.mayMiss = { missing.contains($0) }
    return checker
  }

  /// Carries out nothing from now on, neither what comes nor what waits for its turn; what is under way
  /// is done once this returns. The engine may then be stopped: without units there would be nothing
  /// to edit, and a file would be written with the values of the last edit.
  public func end() async {
    hasEnded = true
    await turns.lock()
    turns.unlock()
  }

  package func inTurn<Answer>(
    evenAtEnd: Bool = false, _ body: () async throws -> Answer
  ) async throws -> Answer {
    await turns.lock()
    defer { turns.unlock() }
    guard !hasEnded || evenAtEnd else { throw Refusal("the rack has ended") }
    return try await body()
  }
}
