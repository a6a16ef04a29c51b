import AudioUnits
import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Plays a song of the set list: its rack as it is written, in its scene.
  ///
  /// Where its rack cannot be played the show has moved on to it all the same, so that the next can
  /// follow, and what was playing goes on.
  func play(song place: Int) async throws -> String {
    guard let concert else { throw Self.noSetList }
    let before = rack.taking(await engine.namedUnits)
    let former = concert.song(of: rack)
    self.concert?.position = place
    let name = concert.names[place]
    do {
      _ = try playable(place)
      if writesBack, let saved = await savedOrCopied() { await engine.tell(.remark(saved)) }
      // As it is by now: it may be the file that has just been written.
      try await go(
        from: rack.takingAll(await engine.namedUnits), to: renewed(try playable(place)),
        renamed: nil)
    } catch {
      self.concert?.isRefused = true
      prepareNext()
      throw Refusal("“\(name)” cannot be played: \(error)")
    }
    noteRead(place)
    self.concert?.stand(at: place)
    history.add(
      .rack(
        History.RackStep(
          before: before, after: rack, isWhole: true, songs: (former, name))),
      title: "song \(name)")
    await engine.tell(.song(name))
    prepareNext()
    return "song \(name)"
  }

  /// One that could not be played is read again.
  private func playable(_ place: Int) throws -> CheckedRack {
    if let path = concert?.list.paths[place], concert?.list.racks[place] == nil {
      let (rack, diagnostics) = sources.load(path)
      guard let rack else {
        throw Refusal(
          diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"))
      }
      concert?.list.racks[place] = rack
    }
    guard let rack = concert?.rack(at: place, catalogue: catalogue) else { throw Self.noSetList }
    return rack
  }

  /// What the file of a song's rack says.
  private func noteRead(_ place: Int) {
    if let read = concert?.list.racks[place] { records.note(read) }
  }

  private var catalogue: ComponentCatalogue { engine.catalogue }

  func place(ofSong name: String) throws(Refusal) -> Int {
    guard let concert else { throw Self.noSetList }
    if let place = concert.list.place(of: name) { return place }
    // As they are counted on a page.
    if let number = Int(name), concert.names.indices.contains(number - 1) { return number - 1 }
    throw Refusal(
      "there is no song “\(name)” in the set list",
      suggestion: nearestWord(to: name, in: concert.names))
  }

  func place(songsOn count: Int) throws(Refusal) -> Int {
    guard let concert else { throw Self.noSetList }
    let place = concert.position + count
    guard concert.names.indices.contains(place) else {
      throw Refusal("“\(concert.name)” is the \(count > 0 ? "last" : "first") song")
    }
    return place
  }

  private static let noSetList = Refusal("no set list is played; “backline run” plays one")

  /// A song plays that was gone from or come to by undoing.
  func stand(at song: String?) async {
    guard let song, let place = concert?.list.place(of: song) else { return }
    concert?.stand(at: place)
    await engine.tell(.song(song))
    prepareNext()
  }

  /// What the engine is to play of a plan.
  package func heard(_ plan: Plan) -> Plan {
    concert.map { plan.listening(for: $0.list.list) } ?? plan
  }

  /// Makes the next song's units before it is called for.
  func prepareNext() {
    guard let concert else { return }
    let place = concert.position + 1
    let next =
      concert.names.indices.contains(place) ? concert.rack(at: place, catalogue: catalogue) : nil
    let plan = next.map { heard(renewed($0).plan) }
    preparing?.cancel()
    preparing = Task { [engine, preparing] in
      await preparing?.value
      guard !Task.isCancelled else { return }
      do {
        try await engine.prepare(plan)
      } catch {
        await engine.tell(.warning("the next song, “\(concert.names[place])”: \(error)"))
      }
    }
  }

  /// Goes on with a set list as its file and those of its racks are now: what is written otherwise of
  /// the song that plays is changed as `follow` does. A rack that is wrong now stays as it was.
  public func follow(_ list: CheckedSetList) async throws {
    try await inTurn {
      guard let former = concert else { throw Self.noSetList }
      var list = list
      for place in list.racks.indices where list.racks[place] == nil {
        let known = former.list.paths.firstIndex(of: list.paths[place])
        list.racks[place] = known.flatMap { former.list.racks[$0] }
      }
      let (before, wasHeard) = (
        former.played.flatMap { former.rack(at: $0, catalogue: catalogue) }, heard(rack.plan)
      )
      if let place = concert?.follow(list), let before,
        let now = concert?.rack(at: place, catalogue: catalogue),
        now.file.file == before.file.file, now.file != before.file,
        rack.file.file == before.file.file
      {
        try await take(now, readBefore: before)
        noteRead(place)
      } else if heard(rack.plan) != wasHeard {
        try await engine.replace(with: heard(rack.plan), keeping: .all, isTold: false)
      }
      prepareNext()
    }
  }
}
