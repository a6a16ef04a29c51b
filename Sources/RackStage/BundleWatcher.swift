import AudioUnits
import RackModel
import Synchronization

/// Tells what becomes of the bundles that a rack has units of, and when those come that it misses, for
/// as long as it lives.
package final class BundleWatcher: Sendable {
  private struct Watching {
    var bundles: Set<UnitBundle> = []
    var missing: [MissingUnit] = []
    var tasks: [Task<Void, Never>] = []
  }

  private let catalogue: ComponentCatalogue
  private let tell: @Sendable (ComponentChange) -> Void
  private let watching = Mutex(Watching())

  package init(catalogue: ComponentCatalogue, tell: @escaping @Sendable (ComponentChange) -> Void) {
    self.catalogue = catalogue
    self.tell = tell
  }

  deinit { watching.withLock { for task in $0.tasks { task.cancel() } } }

  /// From now on the bundles of this rack are watched.
  package func watch(_ plan: Plan) {
    let bundles = Set(
      plan.units.compactMap { (try? catalogue.components(for: $0.reference))?.first?.bundle }
        + plan.missing.compactMap { $0.bundle.map(UnitBundle.init(path:)) })
    let missing = plan.missing.filter { $0.bundle == nil }
    watching.withLock { watching in
      // Whoever stopped watching for a moment could miss something.
      guard bundles != watching.bundles || missing != watching.missing else { return }
      for task in watching.tasks { task.cancel() }
      (watching.bundles, watching.missing, watching.tasks) = (bundles, missing, [])
      if !bundles.isEmpty {
        watching.tasks.append(follow(catalogue.changes(of: Array(bundles))) { _ in true })
      }
      if !missing.isEmpty {
        // It may come anywhere.
        watching.tasks.append(
          follow(catalogue.changes()) { change in
            switch change {
            case .appeared(let component), .changed(let component):
              missing.contains { $0.isMet(by: component.component, called: component.name) }
            case .tagged, .refused, .vanished: false
            }
          })
      }
    }
  }

  private func follow(
    _ changes: AsyncStream<ComponentChange>,
    where isMeant: @escaping @Sendable (ComponentChange) -> Bool
  ) -> Task<Void, Never> {
    Task { [tell] in for await change in changes where isMeant(change) { tell(change) } }
  }
}
