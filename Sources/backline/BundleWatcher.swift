import AudioUnits
import RackModel
import Synchronization

/// Tells what becomes of the bundles that a rack has units of, for as long as it lives.
final class BundleWatcher: Sendable {
  private let catalogue: ComponentCatalogue
  private let tell: @Sendable (ComponentChange) -> Void
  private let watching = Mutex<(bundles: Set<UnitBundle>, task: Task<Void, Never>?)>(([], nil))

  init(catalogue: ComponentCatalogue, tell: @escaping @Sendable (ComponentChange) -> Void) {
    self.catalogue = catalogue
    self.tell = tell
  }

  deinit { watching.withLock { $0.task?.cancel() } }

  /// From now on the bundles of this rack are watched.
  func watch(_ plan: Plan) {
    let bundles = Set(
      plan.units.compactMap { (try? catalogue.components(for: $0.reference))?.first?.bundle })
    watching.withLock { watching in
      // Whoever stopped watching for a moment could miss something.
      guard bundles != watching.bundles else { return }
      watching.task?.cancel()
      watching.bundles = bundles
      guard !bundles.isEmpty else {
        watching.task = nil
        return
      }
      let changes = catalogue.changes(of: Array(bundles))
      watching.task = Task { [tell] in
        for await change in changes { tell(change) }
      }
    }
  }
}
