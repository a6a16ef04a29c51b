import Documents
import UnitModel

extension ComponentCatalogue {
  /// What becomes of the bundles from now on, to one reader; ends when it stops reading.
  ///
  /// Folders that are not there yet are watched as well. The first look, which takes as long as a
  /// scan, tells nothing.
  ///
  /// - Parameter bundles: only these, which may lie anywhere; nil for all in the catalogue's folders.
  public func changes(of bundles: [UnitBundle]? = nil) -> AsyncStream<ComponentChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ComponentChange.self)
    let task = Task.detached(priority: .utility) { [self] in
      let watcher = FolderWatcher()
      var before = await state(of: bundles)
      watcher.watch(watchedFolders(bundles))
      for await _ in watcher.changes {
        let now = await state(of: bundles)
        watcher.watch(watchedFolders(bundles))
        for change in now.changes(since: before) { continuation.yield(change) }
        before = now
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// The folders in which something that concerns the bundles can happen.
  private func watchedFolders(_ chosen: [UnitBundle]?) -> [String] {
    let (folders, all) = store.withLock { ($0.folders, $0.bundles()) }
    return (chosen == nil ? folders : [])
      + (chosen ?? all).flatMap { [$0.path, $0.platformFolder] }
  }

  private func state(of chosen: [UnitBundle]?) async -> CatalogueState {
    await scan(chosen)
    let (components, refused) = chosen.map(standing) ?? inventory()
    return store.withLock { store in
      var state = CatalogueState()
      for component in components {
        guard let bundle = component.bundle, let record = store.record(of: bundle) else { continue }
        state.components[bundle.path] = (
          component, [record.manifestStamp, record.libraryStamp].compactMap(\.self)
        )
      }
      for bundle in refused { state.refused[bundle.bundle.path] = bundle }
      return state
    }
  }

  /// Bundles by themselves, whatever others claim.
  private func standing(_ bundles: [UnitBundle]) -> Inventory {
    store.withLock { store in
      var inventory: Inventory = ([], [])
      for bundle in bundles {
        if let component = component(of: bundle, in: &store) {
          inventory.components.append(component)
        } else if let record = store.record(of: bundle) {
          inventory.refused.append(RefusedBundle(bundle, record))
        }
      }
      return inventory
    }
  }
}

/// The bundles at one moment, by path.
private struct CatalogueState: Sendable {
  var components: [String: (component: Component, stamps: [FileStamp])] = [:]
  var refused: [String: RefusedBundle] = [:]

  func changes(since old: CatalogueState) -> [ComponentChange] {
    var changes: [ComponentChange] = []
    for (path, (component, stamps)) in components.sorted(by: { $0.key < $1.key }) {
      guard let before = old.components[path] else {
        changes.append(.appeared(component))
        continue
      }
      if before.stamps != stamps { changes.append(.changed(component)) }
    }
    for (path, bundle) in refused.sorted(by: { $0.key < $1.key })
    where old.refused[path] != bundle {
      changes.append(.refused(bundle))
    }
    let gone = Set(old.components.keys).union(old.refused.keys)
      .subtracting(components.keys).subtracting(refused.keys)
    return changes + gone.sorted().map { .vanished(UnitBundle(path: $0)) }
  }
}
