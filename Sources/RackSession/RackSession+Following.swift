import AudioUnits
import RackEngine
import RackModel

extension RackSession {
  /// Plays the rack's file as it is now in the place of what it was before: what is written
  /// otherwise, and nothing else. Units that both have alike keep the values that they have now,
  /// whatever has set them. What the session has written itself is nothing new.
  ///
  /// - Throws: an error that says why not; then all is as before.
  public func follow(_ file: CheckedRack) async throws {
    try await inTurn {
      let former = records[file.file.file]?.present
      if let former, former.bytes == file.bytes,
        former.file.loadedAutomation == file.file.loadedAutomation
      {
        return
      }
      guard records.areOne(rack.file.file, file.file.file) else {
        records.note(file)
        let name = file.plan.name
        return await engine.tell(.remark("\(name) was saved, while \(rack.plan.name) plays"))
      }
      try await take(file, readBefore: former ?? rack)
      records.note(file)
    }
  }

  /// Plays the rack's file as it is now, values and all; a song begins in its scene.
  func reload() async throws -> String {
    let name = rack.file.file
    guard !name.isEmpty else { throw Refusal("this rack was read from no file") }
    let (loaded, diagnostics) = sources.load(name)
    guard var read = loaded else {
      throw Refusal(
        diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"))
    }
    // Those that were read with it from the beginning.
    let lanes = records[name]?.present.file.loadedAutomation ?? []
    if !lanes.isEmpty { read = checker(read).adding(lanes, from: name, to: read).rack ?? read }
    let isSong = setListPlayer?.song(of: rack) != nil
    setListPlayer?.note(read)
    let song = isSong ? setListPlayer?.present(catalogue: engine.catalogue) : nil
    let done = try await take(song ?? read, title: "reload \(name)")
    records.note(read)
    prepareNext()
    return done
  }

  /// The same within a turn.
  func take(_ file: CheckedRack, readBefore former: CheckedRack) async throws {
    // Half a file is often a file.
    guard file.plan.leadsOut || !rack.plan.leadsOut else {
      throw Refusal("nothing leads to its outputs any more")
    }
    var source = former
    var changed: Set<String> = []
    for entry in file.file.units {
      let place = source.file.units.firstIndex { $0.name.value == entry.name.value }
      if let place, source.file.units[place].saysTheSame(as: entry) {
        source.file.units[place] = entry
      } else {
        changed.insert(entry.name.value)
      }
    }
    let units = await engine.namedUnits
    let before = rack.taking(units)
    let target = file.keeping(units.filter { changed.contains($0.name) }, since: former.plan)
    try await go(from: source, to: target, renamed: nil, isTold: true)
    let after = rack.taking(await engine.namedUnits)
    history.add(
      .rack(History.RackStep(before: before, after: after, renamed: nil)),
      title: "read the file")
  }
}

extension CheckedRack {
  /// The same rack, written with the values and bypasses that these units have now, as far as it was
  /// planned with the same before.
  fileprivate func keeping(_ units: [NamedUnit], since former: Plan) -> CheckedRack {
    var values: [String: LiveValues] = [:]
    for unit in units {
      guard let before = former.units.first(where: { $0.name == unit.name }),
        let now = plan.units.first(where: { $0.name == unit.name }),
        before.component == now.component
      else { continue }
      let audioUnit = unit.audioUnit
      let (was, will) = (
        before.values(with: audioUnit.facts), now.values(with: audioUnit.facts)
      )
      values[unit.name] = LiveValues(
        facts: audioUnit.facts,
        isBypassed: before.isBypassed == now.isBypassed
          ? audioUnit.shouldBypassEffect : now.isBypassed,
        value: { was[$0] == will[$0] ? audioUnit.parameterValue($0) : nil })
    }
    return taking(values)
  }
}

extension Plan {
  /// Does anything come to its outputs?
  fileprivate var leadsOut: Bool {
    cables.contains { $0.destination.unit == nil }
      || midiCables.contains { $0.destination.unit == nil }
  }
}
