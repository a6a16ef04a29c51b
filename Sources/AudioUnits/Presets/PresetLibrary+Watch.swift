import Documents
import UnitModel

extension PresetLibrary {
  /// Yields once, and then whenever any program has added, changed or removed a preset of the unit; to
  /// one reader.
  public func changes(of component: ComponentDescription) -> AsyncStream<Void> {
    let watcher = FolderWatcher(
      [userFolder, shippedFolder].compactMap(\.self).map { folder(of: component, in: $0) })
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        continuation.yield()
        for await _ in watcher.changes { continuation.yield() }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
