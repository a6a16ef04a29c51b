import AudioUnits
import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Plays a song of the set list: its rack with the file's values, in the song's scene. Returns a description.
  ///
  /// - Parameter place: the index of the song.
  /// - Throws: `Refusal` if the rack cannot be played. The former rack plays on, and `next` continues after the
  ///   requested song.
  func play(song place: Int) async throws -> String {
    guard let setListPlayer else { throw Self.noSetList }
    let before = rack.withValues(of: await engine.namedUnits)
    let former = setListPlayer.song(of: rack)
    self.setListPlayer?.position = place
    let name = setListPlayer.names[place]
    do {
      _ = try await playable(place)
      if writesBack, let saved = await savedOrCopied() { await engine.report(.remark(saved)) }
      // Reads again: this may be the file that was just written.
      try await go(
        from: rack.withValues(of: await engine.namedUnits, includingLanes: true),
        to: renewed(try await playable(place)).asNew(), files: .asTheyAre)
    } catch {
      self.setListPlayer?.isRefused = true
      prepareNext()
      throw Refusal("“\(name)” cannot be played: \(error)")
    }
    noteRead(place)
    self.setListPlayer?.notePlaying(place)
    savedRevision = revision
    let start = sceneStart
    startScene(self.setListPlayer?.sceneName)
    history.add(
      .rack(
        History.RackStep(
          before: before, after: rack, isWhole: true, songs: (former, name))),
      title: "song \(name)", from: start)
    await engine.report(.song(name))
    prepareNext()
    return "song \(name)"
  }

  /// Returns the rack of a song. Reads the file again if it had errors.
  private func playable(_ place: Int) async throws -> CheckedRack {
    if let path = setListPlayer?.list.paths[place], setListPlayer?.list.racks[place] == nil {
      let read = try await readRack(path)
      await report(read.warnings)
      setListPlayer?.list.racks[place] = read.rack
    }
    guard let rack = setListPlayer?.rack(at: place) else {
      throw Self.noSetList
    }
    return rack
  }

  /// Records the contents of the file of a song's rack.
  private func noteRead(_ place: Int) {
    if let read = setListPlayer?.list.racks[place] { records.note(read.identified(like: rack)) }
  }

  func place(ofSong name: String) throws(Refusal) -> Int {
    guard let setListPlayer else { throw Self.noSetList }
    if let place = setListPlayer.list.place(of: name) { return place }
    // Songs are counted from 1.
    if let number = Int(name), setListPlayer.names.indices.contains(number - 1) {
      return number - 1
    }
    throw Refusal(
      "there is no song “\(name)” in the set list",
      suggestion: nearestWord(to: name, in: setListPlayer.names))
  }

  func place(songsOn count: Int) throws(Refusal) -> Int {
    guard let setListPlayer else { throw Self.noSetList }
    let place = setListPlayer.position + count
    guard setListPlayer.names.indices.contains(place) else {
      throw Refusal("“\(setListPlayer.name)” is the \(count > 0 ? "last" : "first") song")
    }
    return place
  }

  private static let noSetList = Refusal(
    "no set list is running; start one with: backline run SETLIST")

  /// Records and reports the song that plays after an undo or redo.
  func noteSong(_ song: String?) async {
    guard let song, let place = setListPlayer?.list.place(of: song) else { return }
    setListPlayer?.notePlaying(place)
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
    let place = setListPlayer.position + 1
    let next =
      setListPlayer.names.indices.contains(place)
      ? setListPlayer.rack(at: place) : nil
    let plan = next.map { adaptedToSetList(renewed($0).asNew().plan) }
    preparing?.cancel()
    preparedSong = nil
    preparing = Task { [weak self, engine, preparing] in
      await preparing?.value
      guard !Task.isCancelled else { return }
      do {
        try await engine.prepare(plan)
        if plan != nil { await self?.notePrepared(setListPlayer.names[place]) }
      } catch {
        await engine.report(.warning("the next song, “\(setListPlayer.names[place])”: \(error)"))
      }
    }
  }

  private func notePrepared(_ song: String) { preparedSong = song }

  /// Applies changes of the set list and of its racks' files, also to the rack that plays. Ignores racks with
  /// errors.
  ///
  /// - Throws: an error with the reason, such as that no set list is running.
  public func follow(_ list: CheckedSetList) async throws {
    try await inTurn {
      guard let former = setListPlayer else { throw Self.noSetList }
      var list = list
      for place in list.racks.indices where list.racks[place] == nil {
        let known = former.list.paths.firstIndex(of: list.paths[place])
        list.racks[place] = known.flatMap { former.list.racks[$0] }
      }
      let (before, formerPlan) = (
        former.played.flatMap { former.rack(at: $0) },
        adaptedToSetList(rack.plan)
      )
      if let place = setListPlayer?.follow(list), let before,
        let now = setListPlayer?.rack(at: place),
        now.file.file == before.file.file, now.file != before.file,
        rack.file.file == before.file.file
      {
        try await apply(now, readBefore: before)
        noteRead(place)
      } else if adaptedToSetList(rack.plan) != formerPlan {
        try await engine.replace(
          with: adaptedToSetList(rack.plan), keeping: .all, isReported: false)
      }
      prepareNext()
    }
  }
}
