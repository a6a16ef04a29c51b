import RackEngine
import RackModel

extension RackSession {
  func play(_ new: CheckedRack, title: String) async throws -> String {
    let units = await engine.namedUnits
    // Another rack starts as it is written, whatever lanes have moved.
    let done = try await change(
      from: rack.withValues(of: units), to: new, playing: rack.withAllValues(of: units),
      title: title, files: .asTheyAre, isReported: true, isWhole: true)
    await engine.restartGivenUpUnits()
    records.note(new)
    savedRevision = revision
    startScene(nil)
    return done
  }

  /// - Parameter playing: the rack whose units keep their values where `after` has them alike; nil: `before`.
  func change(
    from before: CheckedRack, to after: CheckedRack, playing: CheckedRack? = nil,
    renamed: (from: String, to: String)? = nil, title: String, files: FileRule = .kept,
    isReported: Bool = false, isWhole: Bool = false
  ) async throws -> String {
    let start = sceneStart
    try await go(
      from: playing ?? before, to: after, renamed: renamed, files: files, isReported: isReported)
    history.add(
      .rack(
        History.RackStep(before: before, after: after, renamed: renamed, isWhole: isWhole)),
      title: title, from: start)
    return title
  }

  /// Plays `target` in the place of the present rack. Units that are written alike in `source` and
  /// `target` keep their present values; the others get those of `target`, which was checked against the
  /// present catalogue.
  func go(
    from source: CheckedRack, to target: CheckedRack, renamed: (from: String, to: String)?,
    files: FileRule = .kept, isReported: Bool = false
  ) async throws {
    var kept: Set<String> = []
    for entry in target.file.units {
      let name = entry.name.value
      let former = name == renamed?.to ? renamed?.from ?? name : name
      guard var other = source.file.units.first(where: { $0.name.value == former }) else {
        continue
      }
      other.name = entry.name
      if other == entry { kept.insert(name) }
    }
    // Before the values are set, so that no step of a ramp follows them.
    endRamps { !kept.contains($0.unit == renamed?.from ? renamed?.to ?? $0.unit : $0.unit) }
    let formerNames = renamed.map { [$0.to: $0.from] } ?? [:]
    try await replace(
      with: target, keeping: KeptUnits(kept, formerNames: formerNames), files: files,
      isReported: isReported || source.plan.name != target.plan.name)
    for (number, ramp) in ramps where ramp.path.unit == renamed?.from {
      ramps[number]?.path.unit = renamed?.to ?? ramp.path.unit
    }
    followScene(renamed: renamed)
    if let renamed { await moveLayout(from: renamed.from, to: renamed.to) }
    feed.postReplacement(by: rack.plan.name)
  }

  /// Plays a rack; until the engine plays it, the session answers with the former rack and its units.
  func replace(
    with target: CheckedRack, keeping kept: KeptUnits, files: FileRule, isReported: Bool = true
  ) async throws {
    unitsWhileReplacing = feed.units
    defer { unitsWhileReplacing = nil }
    try await engine.replace(
      with: adaptedToSetList(target.plan), keeping: kept, files: files, isReported: isReported)
    rack = target
  }
}
