import RackEngine
import RackModel

extension RackSession {
  func apply(_ edit: RackEdit) async throws -> String {
    let before = await present()
    let after = try RackEditor(checker(rack)).apply(edit, to: before)
    return try await change(
      from: before, to: after, renamed: edit.renamed, title: "\(edit)", isTold: false,
      isWhole: false)
  }

  func take(_ new: CheckedRack, title: String) async throws -> String {
    let before = rack.taking(await engine.namedUnits)
    let done = try await change(
      from: before, to: new, renamed: nil, title: title, isTold: true, isWhole: true)
    await engine.restartGivenUpUnits()
    records.note(new)
    return done
  }

  func change(
    from before: CheckedRack, to after: CheckedRack, renamed: (from: String, to: String)?,
    title: String, isTold: Bool, isWhole: Bool
  ) async throws -> String {
    // Another rack begins as it is written, whatever lanes have moved.
    let source = isTold ? rack.takingAll(await engine.namedUnits) : before
    try await go(from: source, to: after, renamed: renamed, isTold: isTold)
    history.add(
      .rack(
        History.RackStep(before: before, after: after, renamed: renamed, isWhole: isWhole)),
      title: title)
    return title
  }

  /// Plays `target` in the place of the present rack. Units that are written alike in `source` and
  /// `target` keep the values that they have now, whatever has set them; the others get those that
  /// are written in `target`.
  ///
  /// `target` is as fresh as the catalogue.
  func go(
    from source: CheckedRack, to target: CheckedRack, renamed: (from: String, to: String)?,
    isTold: Bool = false
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
    // Before others' values are set, so that nothing under way comes after them.
    endRamps { !kept.contains($0.unit == renamed?.from ? renamed?.to ?? $0.unit : $0.unit) }
    let formerNames = renamed.map { [$0.to: $0.from] } ?? [:]
    try await replace(
      with: target, keeping: KeptUnits(kept, formerNames: formerNames),
      isTold: isTold || source.plan.name != target.plan.name)
    for (number, ramp) in ramps where ramp.path.unit == renamed?.from {
      ramps[number]?.path.unit = renamed?.to ?? ramp.path.unit
    }
    feed.note(rack: rack.plan.name)
  }

  /// Has the engine play a rack. Until it does, the session answers with the former rack and its units.
  func replace(with target: CheckedRack, keeping kept: KeptUnits, isTold: Bool = true) async throws
  {
    unitsWhileReplacing = feed.units
    defer { unitsWhileReplacing = nil }
    try await engine.replace(with: adaptedToSetList(target.plan), keeping: kept, isTold: isTold)
    rack = target
  }
}
