import AudioUnits
import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Applies the changes of the rack's file since it was last read or written. Everything else keeps its present
  /// values. Reports a file of another rack, and does not apply it.
  ///
  /// - Throws: an error with the reason; nothing has changed then.
  public func follow(_ file: CheckedRack) async throws {
    try await inTurn {
      let former = records[file.file.file]?.present
      if let former, former.bytes == file.bytes,
        former.file.loadedAutomation == file.file.loadedAutomation
      {
        return
      }
      guard records.areOne(rack.file.file, file.file.file) else {
        records.add(file)
        let name = file.plan.name
        return await engine.report(.remark("\(name) was saved, while \(rack.plan.name) plays"))
      }
      try await apply(file, readBefore: former ?? rack)
      records.add(file.identified(like: rack))
    }
  }

  /// Plays the present file of the rack with the file's values; a song starts in its scene. Returns what was done.
  func reload() async throws -> String {
    let name = rack.file.file
    let (whole, warnings) = try await readRack(name)
    await report(warnings)
    var read = whole
    // Lanes that the `automation` command has loaded stay.
    let lanes = records[name]?.present.file.loadedAutomation ?? []
    if !lanes.isEmpty { read = checker(read).adding(lanes, from: name, to: read).rack ?? read }
    let isSong = setListPlayer?.song(of: rack) != nil
    setListPlayer?.update(read)
    let song = isSong ? setListPlayer?.present : nil
    let done = try await play(song ?? read, title: "\(read.plan.name) read again")
    records.add(read.identified(like: rack))
    prepareNext()
    return done
  }

  /// Applies the changes of a file. The caller has locked the mutex.
  func apply(_ file: CheckedRack, readBefore former: CheckedRack) async throws {
    let wasSaved = revision == savedRevision
    defer { if wasSaved { savedRevision = revision } }
    // A file that is half written is often correct.
    guard file.plan.reachesOutputs || !rack.plan.reachesOutputs else {
      throw Refusal("nothing leads to its outputs any more")
    }
    let before = rack.withValues(of: await engine.namedUnits)
    let target = file.identified(like: rack)
      .following(before, since: renewed(former).identified(like: rack))
    try await go(from: before, to: target, files: .lenient, isReported: true)
    history.add(
      .rack(History.RackStep(before: before, after: target)),
      title: "the file read again")
  }
}

extension Plan {
  fileprivate var reachesOutputs: Bool {
    cables.contains { $0.destination.unit == nil }
      || midiCables.contains { $0.destination.unit == nil }
  }
}
