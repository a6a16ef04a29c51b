import RackEngine
import RackModel

extension RackSession {
  func play(_ new: CheckedRack, title: String) async throws -> String {
    let units = await engine.namedUnits
    // Another rack starts as it is written, whatever lanes have moved.
    let done = try await change(
      from: rack.withValues(of: units), to: new,
      playing: rack.withValues(of: units, includingLanes: true),
      title: title, files: .lenient, isReported: true, setsAllValues: true)
    await engine.restartGivenUpUnits()
    records.add(new.identified(like: rack))
    savedRevision = revision
    startScene(nil)
    return done
  }

  /// Plays `after` and adds the step from `before` to the history; returns the title.
  ///
  /// - Parameter playing: units with the same values here and in `after` keep their present values; nil: `before`.
  func change(
    from before: CheckedRack, to after: CheckedRack, playing: CheckedRack? = nil,
    title: String, files: FileRule = .kept,
    isReported: Bool = false, setsAllValues: Bool = false
  ) async throws -> String {
    let start = sceneStart
    try await go(
      from: playing ?? before, to: after, files: files, isReported: isReported)
    history.add(
      .rack(
        History.RackStep(before: before, after: after, setsAllValues: setsAllValues)),
      title: title, from: start)
    return title
  }

  /// Replaces the present rack by `target`, which was checked against the present catalogue. Units with the same
  /// values in `source` and `target` keep their present values. The others get the values of `target`.
  func go(
    from source: CheckedRack, to target: CheckedRack, files: FileRule = .kept,
    isReported: Bool = false
  ) async throws {
    let (former, target) = (rack, target.identified(like: rack))
    let kept = target.unitsWithValues(of: source.identified(like: rack))
    // Ramps end before the values are set, so that no step of a ramp follows.
    ramps.end { path in former.id(ofUnit: path.unit).map { !kept.contains($0) } ?? true }
    try await replace(
      with: target, keeping: KeptUnits(kept), files: files,
      isReported: isReported || source.plan.name != target.plan.name)
    await followNames(from: former)
    followScene()
    feed.postReplacement(by: rack.plan.name)
  }

  /// Gives ramps and box positions the new names of renamed units.
  private func followNames(from former: CheckedRack) async {
    let renamed = rack.file.units.compactMap { entry in
      former.name(of: entry.id).map { ($0, entry.name.value) }
    }.filter { $0 != $1 }
    guard !renamed.isEmpty else { return }
    let names = Dictionary(renamed) { first, _ in first }
    ramps.rename(names)
    await moveLayout(names)
  }

  /// Plays a rack. Until the engine plays the rack, the session answers with the former rack and its units.
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
