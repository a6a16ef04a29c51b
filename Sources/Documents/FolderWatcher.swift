import Dispatch
import Glibc

/// Reports changes in folders, merging changes that come close together.
///
/// A folder may be created later. If the system grants no more watches, a change is reported every two
/// seconds instead.
package final class FolderWatcher: Sendable {
  /// The changes, for one reader; ends with the watcher.
  package let changes: AsyncStream<Void>
  private let watches: FolderWatches

  package init(_ folders: [String] = []) {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    watches = FolderWatches(continuation)
    watch(folders)
  }

  deinit { watches.end() }

  /// Watches these folders, without their subfolders, from now on. A folder that is watched for the
  /// first time is reported as a change, since it may have changed before.
  package func watch(_ folders: [String]) { watches.watch(folders) }

  /// Reports a change of another source.
  package func report() { watches.reportSoon() }
}

/// The inotify watches of a folder watcher.
///
/// Unchecked Sendable: everything but the queue and the continuation is used on the queue alone.
private final class FolderWatches: @unchecked Sendable {
  private let queue = DispatchQueue(label: "backline.folders", qos: .utility)
  private let continuation: AsyncStream<Void>.Continuation
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var source: (any DispatchSourceRead)?
  private var folders: [String] = []
  /// The watches: true for a folder, false for the parent of one that does not exist yet.
  private var watched: [Int32: Bool] = [:]
  private var isIncomplete = false
  private var pending: DispatchWorkItem?
  private var firstChange: DispatchTime?

  /// The quiet time before changes are reported; they are reported at latest `longestDelay` after
  /// the first.
  private static let quiet = DispatchTimeInterval.milliseconds(100)
  private static let longestDelay = DispatchTimeInterval.seconds(1)
  private static let pollInterval = DispatchTimeInterval.seconds(2)
  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR)

  init(_ continuation: AsyncStream<Void>.Continuation) {
    self.continuation = continuation
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.readEvents() }
    source.setCancelHandler { [descriptor] in close(descriptor) }
    source.activate()
    self.source = source
  }

  func end() {
    queue.async { [self] in
      source?.cancel()
      source = nil
      pending?.cancel()
      folders = []
      isIncomplete = false
      continuation.finish()
    }
  }

  func watch(_ folders: [String]) {
    queue.async { [self] in
      self.folders = folders
      addWatches()
    }
  }

  func reportSoon() { queue.async { self.report() } }

  private func addWatches() {
    let former = watched
    let wasIncomplete = isIncomplete
    watched = [:]
    isIncomplete = descriptor < 0 && !folders.isEmpty
    for folder in folders where descriptor >= 0 { addWatch(folder) }
    for watch in former.keys where watched[watch] == nil { inotify_rm_watch(descriptor, watch) }
    if watched.contains(where: { $0.value && former[$0.key] != true }) { report() }
    if isIncomplete && !wasIncomplete { poll() }
  }

  /// Watches a folder, or its nearest existing parent.
  private func addWatch(_ folder: String) {
    var path = folder
    var missing: String?
    while true {
      let watch = inotify_add_watch(descriptor, path, Self.events)
      if watch >= 0 {
        watched[watch] = watched[watch] == true || path == folder
        // Creations before the parent was watched are not reported by inotify.
        guard let made = missing, access(made + "/.", F_OK) == 0 else { return }
        path = folder
        missing = nil
        continue
      }
      guard errno == ENOENT || errno == ENOTDIR, path != "/" else {
        isIncomplete = isIncomplete || errno == ENOSPC
        return
      }
      missing = path
      let parts = path.split(separator: "/").dropLast()
      path = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
    }
  }

  private func poll() {
    queue.asyncAfter(deadline: .now() + Self.pollInterval) { [weak self] in
      guard let self, isIncomplete else { return }
      report()
      poll()
    }
  }

  private func readEvents() {
    var isChanged = false
    let size = 16_384
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
    defer { block.deallocate() }
    while true {
      let count = read(descriptor, block, size)
      guard count > 0 else { break }
      var offset = 0
      while offset < count {
        let event = block.load(fromByteOffset: offset, as: inotify_event.self)
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        isChanged =
          isChanged || watched[event.wd] == true || event.mask & UInt32(IN_Q_OVERFLOW) != 0
        if event.mask & UInt32(IN_IGNORED) != 0 { watched[event.wd] = nil }
      }
    }
    addWatches()
    if isChanged { report() }
  }

  private func report() {
    pending?.cancel()
    let now = DispatchTime.now()
    let first = firstChange ?? now
    firstChange = first
    let item = DispatchWorkItem { [weak self] in
      self?.firstChange = nil
      self?.continuation.yield()
    }
    pending = item
    queue.asyncAfter(deadline: min(now + Self.quiet, first + Self.longestDelay), execute: item)
  }
}
