import Documents
import UnitModel

extension ComponentCatalogue {
  /// Changes of bundles and of the user's tags from now on, to one reader; ends when it stops reading.
  ///
  /// Folders that do not exist yet are watched as well. The first look, which takes as long as a scan,
  /// reports nothing.
  ///
  /// - Parameter chosen: only these bundles, which may lie anywhere; nil for all bundles in the
  ///   catalogue's folders, and the tags of every unit.
  public func changes(of chosen: [UnitBundle]? = nil) -> AsyncStream<ComponentChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ComponentChange.self)
    let task = Task.detached(priority: .utility) { [self] in
      let watcher = FolderWatcher()
      var before = await state(of: chosen)
      watcher.watch(watchedFolders(chosen))
      for await _ in watcher.changes {
        let now = await state(of: chosen)
        watcher.watch(watchedFolders(chosen))
        for change in now.changes(since: before) { continuation.yield(change) }
        before = now
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// The folders in which the bundles and the tags can change.
  private func watchedFolders(_ chosen: [UnitBundle]?) -> [String] {
    let (folders, all) = bundles.store.withLock { ($0.folders, $0.bundles()) }
    return (chosen == nil ? folders + [tags.folder] : [])
      + (chosen ?? all).flatMap { [$0.path, $0.platformFolder] }
  }

  private func state(of chosen: [UnitBundle]?) async -> CatalogueState {
    await bundles.scan(chosen)
    let inventory = chosen.map(bundles.known) ?? self.inventory()
    return bundles.store.withLock { store in
      var state = CatalogueState()
      for component in inventory.components {
        let record = component.bundle.flatMap { store.record(of: $0) }
        let identity = component.bundle?.path ?? "\(component.component)@\(component.versionText)"
        state.components[identity] = (
          component, [record?.manifestStamp, record?.libraryStamp].compactMap(\.self)
        )
      }
      for bundle in inventory.refused { state.refused[bundle.bundle.path] = bundle }
      return state
    }
  }
}

/// The components and the refused bundles at one moment; bundles by path, others by description.
private struct CatalogueState: Sendable {
  var components: [String: (component: Component, stamps: [FileStamp])] = [:]
  var refused: [String: RefusedBundle] = [:]

  func changes(since old: CatalogueState) -> [ComponentChange] {
    var changes: [ComponentChange] = []
    for (identity, (component, stamps)) in components.sorted(by: { $0.key < $1.key }) {
      guard let before = old.components[identity] else {
        changes.append(.appeared(component))
        continue
      }
      if before.stamps != stamps {
        changes.append(.changed(component))
      } else if before.component.userTags != component.userTags {
        changes.append(.tagged(component))
      }
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
