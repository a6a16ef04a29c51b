@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Notices when something changes in folders, whoever changes it (inotify(7)).
///
/// A folder that is not there is waited for.
final class FolderWatch: Sendable {
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private let folders: @Sendable () -> [String]
  private let queue = DispatchQueue(label: "backline.folder-watch")
  private let watched = Mutex<[Int32: String]>([:])
  private let isPending = Mutex(false)

  /// Changes that follow one another within this time are one.
  private static let settlingTime = DispatchTimeInterval.milliseconds(50)

  /// `folders` is asked again after each change, so that it can name folders within folders;
  /// `onChange` is called on a queue of its own.
  ///
  /// Nil where the system has no more watches to give.
  init?(
    _ folders: @escaping @Sendable () -> [String], onChange: @escaping @Sendable () -> Void
  ) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.folders = folders
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.takeEvents(onChange) }
    source.setCancelHandler { [descriptor] in close(descriptor) }
    watch()
    source.activate()
  }

  deinit { source.cancel() }

  /// What changes, as a sequence that ends with the task that waits for it.
  static func changes(in folders: @escaping @Sendable () -> [String]) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watch = FolderWatch(folders) { continuation.yield() }
      if watch == nil { continuation.finish() }
      continuation.onTermination = { _ in withExtendedLifetime(watch) {} }
    }
  }

  private static let interest = UInt32(
    IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ATTRIB)

  private func watch() {
    let wanted = Set(folders().map(Self.nearest))
    watched.withLock { watched in
      for (watch, path) in watched where !wanted.contains(path) {
        inotify_rm_watch(descriptor, watch)
        watched[watch] = nil
      }
      for path in wanted {
        let watch = inotify_add_watch(descriptor, path, Self.interest)
        if watch >= 0 { watched[watch] = path }
      }
    }
  }

  /// The folder, or of those above it the first that is there.
  private static func nearest(_ path: String) -> String {
    var path = path[...]
    while access(String(path), F_OK) != 0, let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
    }
    return path.isEmpty ? "/" : String(path)
  }

  private func takeEvents(_ onChange: @escaping @Sendable () -> Void) {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    let begins = isPending.withLock { pending in
      defer { pending = true }
      return !pending
    }
    guard begins else { return }
    queue.asyncAfter(deadline: .now() + Self.settlingTime) { [weak self] in
      guard let self else { return }
      isPending.withLock { $0 = false }
      watch()
      onChange()
    }
  }
}
