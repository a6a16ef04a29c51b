import AudioUnits
import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Plays a song of the set list: its rack with the file's values, in the song's scene. Returns a description.
  ///
  /// - Parameter index: the index of the song.
  /// - Throws: `Refusal` if the rack cannot be played. The former rack plays on, and `next` continues after the
  ///   requested song.
  func play(song index: Int) async throws -> String {
    guard let setListPlayer else { throw Self.noSetList }
    let before = rack.withValues(of: await engine.namedUnits)
    let former = setListPlayer.song(of: rack)
    self.setListPlayer?.position = index
    let name = setListPlayer.names[index]
    do {
      _ = try await playable(index)
      if writesBack, let saved = await savedOrCopied() { await engine.report(.remark(saved)) }
      // Reads again: this may be the file that was just written.
      try await go(
        from: rack.withValues(of: await engine.namedUnits, includingLanes: true),
        to: renewed(try await playable(index)).asNew(), files: .lenient)
    } catch {
      self.setListPlayer?.isRefused = true
      prepareNext()
      throw Refusal("“\(name)” cannot be played: \(error)")
    }
    addRecord(ofSong: index)
    self.setListPlayer?.setPlaying(index)
    savedRevision = revision
    let start = sceneStart
    startScene(self.setListPlayer?.sceneName)
    history.add(
      .rack(
        History.RackStep(
          before: before, after: rack, setsAllValues: true, songs: (former, name))),
      title: "song \(name)", from: start)
    await engine.report(.song(name))
    prepareNext()
    return "song \(name)"
  }

  /// Returns the rack of a song. Reads the file again if it had errors.
  private func playable(_ index: Int) async throws -> CheckedRack {
    if let path = setListPlayer?.list.paths[index], setListPlayer?.list.racks[index] == nil {
      let read = try await readRack(path)
      await report(read.warnings)
      setListPlayer?.list.racks[index] = read.rack
    }
    guard let rack = setListPlayer?.rack(at: index) else {
      throw Self.noSetList
    }
    return rack
  }

  /// Records the contents of the file of a song's rack.
  private func addRecord(ofSong index: Int) {
    if let read = setListPlayer?.list.racks[index] { records.add(read.identified(like: rack)) }
  }

  func index(ofSong name: String) throws(Refusal) -> Int {
    guard let setListPlayer else { throw Self.noSetList }
    if let index = setListPlayer.list.index(of: name) { return index }
    // Songs are counted from 1.
    if let number = Int(name), setListPlayer.names.indices.contains(number - 1) {
      return number - 1
    }
    throw Refusal(
      "there is no song “\(name)” in the set list",
      suggestion: nearestWord(to: name, in: setListPlayer.names))
  }

  func index(songsOn count: Int) throws(Refusal) -> Int {
    guard let setListPlayer else { throw Self.noSetList }
    let index = setListPlayer.position + count
    guard setListPlayer.names.indices.contains(index) else {
      throw Refusal("“\(setListPlayer.name)” is the \(count > 0 ? "last" : "first") song")
    }
    return index
  }

  private static let noSetList = Refusal(
    "no set list is running; start one with: backline run SETLIST")

  /// Records and reports the song that plays after an undo or redo.
  func showSong(_ song: String?) async {
    guard let song, let index = setListPlayer?.list.index(of: song) else { return }
    setListPlayer?.setPlaying(index)
    await engine.report(.song(song))
    prepareNext()
  }

  /// Returns the plan with the set list's own MIDI input.
  package func adaptedToSetList(_ plan: Plan) -> Plan {
    setListPlayer.map { plan.listening(for: $0.list.list) } ?? plan
  }

  /// Creates the units of the next song in advance, so that the song starts without delay.
  func prepareNext() {
    guard let setListPlayer else { return }
    let index = setListPlayer.position + 1
    let next =
      setListPlayer.names.indices.contains(index)
      ? setListPlayer.rack(at: index) : nil
    let plan = next.map { adaptedToSetList(renewed($0).asNew().plan) }
    let former = nextSong.task
    former?.cancel()
    let task = Task { [weak self, engine] in
      await former?.value
      guard !Task.isCancelled else { return }
      do {
        try await engine.prepare(plan)
        if plan != nil, !Task.isCancelled { await self?.markReady(setListPlayer.names[index]) }
      } catch {
        await engine.report(.warning("the next song, “\(setListPlayer.names[index])”: \(error)"))
      }
    }
    nextSong = .preparing(task)
  }

  /// Records that the units of the next song are created.
  private func markReady(_ song: String) {
    if let task = nextSong.task { nextSong = .ready(song, task) }
  }

  /// Applies changes of the set list and of its racks' files, also to the rack that plays. Ignores racks with
  /// errors.
  ///
  /// - Throws: an error with the reason, such as that no set list is running.
  public func follow(_ list: CheckedSetList) async throws {
    try await inTurn {
      guard let former = setListPlayer else { throw Self.noSetList }
      var list = list
      for index in list.racks.indices where list.racks[index] == nil {
        let known = former.list.paths.firstIndex(of: list.paths[index])
        list.racks[index] = known.flatMap { former.list.racks[$0] }
      }
      let (before, formerPlan) = (
        former.played.flatMap { former.rack(at: $0) },
        adaptedToSetList(rack.plan)
      )
      if let index = setListPlayer?.follow(list), let before,
        let now = setListPlayer?.rack(at: index),
        now.file.file == before.file.file, now.file != before.file,
        rack.file.file == before.file.file
      {
        try await apply(now, readBefore: before)
        addRecord(ofSong: index)
      } else if adaptedToSetList(rack.plan) != formerPlan {
        try await engine.replace(
          with: adaptedToSetList(rack.plan), keeping: .all, isReported: false)
      }
      prepareNext()
    }
  }
}
