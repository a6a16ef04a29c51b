import RackModel

extension Engine {
  /// Has what trails end where nothing more is heard of it.
  func hearTrail() {
    guard !endsTrails, !snapshot.serverIsAway, !unitsThatAreOver().isEmpty else { return }
    endsTrails = true
    // A change of the rack may be under way, which reports must not wait for.
    Task { [weak self] in
      await self?.endTrails()
      await self?.noteTrailsEnded()
    }
  }

  private func noteTrailsEnded() { endsTrails = false }

  private func unitsThatAreOver() -> Set<UInt32> {
    let count = rack?.units.count ?? 0
    return rack?.trail.over(
      at: snapshot.sampleTime, sampleRate: snapshot.sampleRate, ownCount: count) ?? []
  }

  private func endTrails() async {
    await changes.lock()
    defer { changes.unlock() }
    guard !snapshot.serverIsAway, !hasEnded else { return }
    let over = unitsThatAreOver()
    guard !over.isEmpty, let old = rack else { return }
    var new = old
    new.trail = new.trail(behind: old, over: over, at: snapshot.sampleTime)
    // Where the kernel does not keep up it is tried again.
    guard (try? await crossfade(from: old, to: new, keeping: .all)) != nil else { return }
    rack?.trail = new.trail
    rack?.trail.listen(from: snapshot.sampleTime)
    snapshot.spilling = new.trail.names
  }
}
