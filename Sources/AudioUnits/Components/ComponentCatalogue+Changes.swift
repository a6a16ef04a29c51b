import Documents
import UnitModel

extension ComponentCatalogue {
  /// Reports changes of bundles, registrations and changes of the user's tags from now on, to one reader,
  /// until it stops reading.
  ///
  /// Folders that do not exist yet are watched as well. The first scan of the bundles reports nothing; it
  /// takes as long as `scan`.
  ///
  /// - Parameters:
  ///   - chosen: the bundles to watch, in any folder; nil for all bundles in the catalogue's
  ///     folders, and the tags of every unit.
  ///   - looked: a function called after the first scan, whose findings do not count as changes.
  public func changes(
    of chosen: [UnitBundle]? = nil, looked: (@Sendable () -> Void)? = nil
  ) -> AsyncStream<ComponentChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ComponentChange.self)
    let watcher = FolderWatcher()
    followers.withLock { followers in
      followers.removeAll { $0.watcher == nil }
      if chosen == nil { followers.append(WeakFollower(watcher: watcher)) }
    }
    let (tags, registered) = (tags.all, Set(registered.knownFacts.map(\.component)))
    let task = Task.detached(priority: .utility) { [self] in
      var before = await state(of: chosen, tags, registered)
      watcher.watch(watchedFolders(chosen))
      watcher.report()
      looked?()
      for await _ in watcher.changes {
        let now = await state(of: chosen)
        watcher.watch(watchedFolders(chosen))
        for change in changes(from: before, to: now) { continuation.yield(change) }
        before = now
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Returns the folders in which the bundles and the tags can change.
  private func watchedFolders(_ chosen: [UnitBundle]?) -> [String] {
    let (folders, all) = bundles.store.withLock { ($0.folders, $0.bundles()) }
    return (chosen == nil ? folders + [tags.folder] : [])
      + (chosen ?? all).flatMap { [$0.path, $0.platformFolder] }
  }

  /// Returns the state with the tags and registrations of an earlier moment.
  private func state(
    of chosen: [UnitBundle]?, _ tags: [ComponentDescription: [String]],
    _ registered: Set<ComponentDescription>
  ) async -> [String: CatalogueEntry] {
    let present = await state(of: chosen)
    // Ask afterwards: a unit may be registered during the scan.
    let isNew = Set(self.registered.knownFacts.map(\.component)).subtracting(registered)
    return present.compactMapValues { entry in
      guard case .component(var component, let stamps) = entry else { return entry }
      component.userTags = tags[component.component] ?? []
      return isNew.contains(component.component) ? nil : .component(component, stamps)
    }
  }

  private func state(of chosen: [UnitBundle]?) async -> [String: CatalogueEntry] {
    await bundles.scan(chosen)
    let inventory = chosen.map(bundles.known) ?? self.inventory()
    return bundles.store.withLock { store in
      var state: [String: CatalogueEntry] = [:]
      for component in inventory.components {
        let record = component.bundle.flatMap { store.record(of: $0) }
        let identity = component.bundle?.path ?? "\(component.component)@\(component.versionText)"
        state[identity] = .component(component, [record?.manifestStamp, record?.libraryStamp])
      }
      for bundle in inventory.refused { state[bundle.bundle.path] = .refused(bundle) }
      return state
    }
  }

  private func changes(
    from old: [String: CatalogueEntry], to new: [String: CatalogueEntry]
  ) -> [ComponentChange] {
    let changes = new.sorted { $0.key < $1.key }.compactMap { identity, entry in
      switch (old[identity], entry) {
      case (.component(let before, let stamps), .component(let component, let newStamps)):
        stamps != newStamps
          ? ComponentChange.changed(component)
          : before.userTags != component.userTags ? .tagged(component) : nil
      case (_, .component(let component, _)): .appeared(component)
      case (.refused(let before), .refused(let bundle)) where before == bundle: nil
      case (_, .refused(let bundle)): .refused(bundle)
      }
    }
    let gone = Set(old.keys).subtracting(new.keys).sorted()
    return changes + gone.map { .vanished(UnitBundle(path: $0)) }
  }
}

/// A component or a refused bundle at one moment; bundles are identified by path, others by
/// description.
private enum CatalogueEntry: Sendable {
  case component(Component, [FileStamp?])
  case refused(RefusedBundle)
}
