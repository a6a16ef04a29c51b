import AsyncSupport
import AudioUnits
import Documents
import RackModel

/// Tells when a rack file, or another that a performance is made of, says something else than before,
/// for as long as it lives.
package final class RackFileWatcher: Sendable {
  private let task: Task<Void, Never>

  /// A file that is gone for a moment, as some editors have it, is waited for.
  package init(_ path: String, tell: @escaping @Sendable () -> Void) {
    // Where a link leads may change, and what it leads to.
    let folders = [path, FilePlace.resolve(path) ?? path].map(Self.folder)
    let watcher = FolderWatcher(folders)
    let first = Self.bytes(path)
    task = Task {
      var last = first
      for await _ in watcher.changes {
        guard let bytes = Self.bytes(path), bytes != last else { continue }
        last = bytes
        tell()
      }
    }
  }

  deinit { task.cancel() }

  private static func bytes(_ path: String) -> [UInt8]? {
    try? WholeFile.read(path, limit: AutomationFile.maximumSize)
  }

  private static func folder(_ path: String) -> String {
    let parts = FilePlace.absolute(path).split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }
}

/// The same of several files, which may come to be others.
package final class RackFileWatchers: Sendable {
  private let tell: @Sendable () -> Void
  private let watchers = Guarded<[String: RackFileWatcher]>([:])

  package init(tell: @escaping @Sendable () -> Void) { self.tell = tell }

  /// Watches these from now on, and no others.
  package func watch(_ paths: [String]) {
    watchers.withLock { watchers in
      // Whoever stopped watching for a moment could miss something.
      watchers = paths.reduce(into: [:]) { kept, path in
        kept[path] = kept[path] ?? watchers[path] ?? RackFileWatcher(path, tell: tell)
      }
    }
  }
}
