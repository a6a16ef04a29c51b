import Dispatch
import Glibc

/// Tells when something changes in folders, once for changes that come close together.
///
/// A folder that is not there yet is waited for. Where the system grants no more watches, the folders
/// are to be looked at every two seconds instead, and each time is told as a change.
package final class FolderWatcher: Sendable {
  /// To one reader; ends with the watcher.
  package let changes: AsyncStream<Void>
  private let watching: Watching

  package init(_ folders: [String] = []) {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    watching = Watching(continuation)
    watch(folders)
  }

  deinit { watching.end() }

  /// From now on these folders are watched, without those beneath them. What is watched for the first
  /// time is told as a change, as something may have happened before.
  package func watch(_ folders: [String]) {
    watching.watch(folders)
  }
}

/// The watcher's insides.
///
/// Unchecked Sendable: everything but the queue and the continuation is touched on the queue alone.
private final class Watching: @unchecked Sendable {
  private let queue = DispatchQueue(label: "backline.folders", qos: .utility)
  private let continuation: AsyncStream<Void>.Continuation
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var source: (any DispatchSourceRead)?
  private var folders: [String] = []
  /// Of folders themselves, by watch; of those above the ones that are not there yet.
  private var watched: Set<Int32> = []
  private var awaited: Set<Int32> = []
  private var isIncomplete = false
  private var pending: DispatchWorkItem?
  private var firstChange: DispatchTime?

  /// Changes are told when it has been quiet for so long, or after `patience` at the latest.
  private static let quiet = DispatchTimeInterval.milliseconds(100)
  private static let patience = DispatchTimeInterval.seconds(1)
  private static let lookingInterval = DispatchTimeInterval.seconds(2)
  private static let interesting = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF
      | IN_MOVE_SELF)

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

  private func addWatches() {
    let before = (watched, isIncomplete)
    var (now, above): (Set<Int32>, Set<Int32>) = ([], [])
    isIncomplete = descriptor < 0 && !folders.isEmpty
    for folder in folders where descriptor >= 0 {
      var path = folder
      var isThere = true
      while true {
        let watch = inotify_add_watch(descriptor, path, Self.interesting | UInt32(IN_ONLYDIR))
        if watch >= 0 {
          if isThere { now.insert(watch) } else { above.insert(watch) }
          break
        }
        guard errno == ENOENT || errno == ENOTDIR, path != "/" else {
          isIncomplete = isIncomplete || errno == ENOSPC
          break
        }
        isThere = false
        let parts = path.split(separator: "/").dropLast()
        path = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
      }
    }
    for old in watched.union(awaited).subtracting(now).subtracting(above) {
      inotify_rm_watch(descriptor, old)
    }
    (watched, awaited) = (now, above.subtracting(now))
    if !watched.subtracting(before.0).isEmpty { note() }
    if isIncomplete && !before.1 { lookAgainLater() }
  }

  private func lookAgainLater() {
    queue.asyncAfter(deadline: .now() + Self.lookingInterval) { [weak self] in
      guard let self, isIncomplete else { return }
      note()
      lookAgainLater()
    }
  }

  private func readEvents() {
    var isOfInterest = false
    var somethingCame = false
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
        somethingCame = true
        let isGone = event.mask & UInt32(IN_IGNORED) != 0
        if isGone { awaited.remove(event.wd) }
        let wasWatched = isGone ? watched.remove(event.wd) != nil : watched.contains(event.wd)
        isOfInterest = isOfInterest || wasWatched || event.mask & UInt32(IN_Q_OVERFLOW) != 0
      }
    }
    if somethingCame { addWatches() }
    if isOfInterest { note() }
  }

  private func note() {
    pending?.cancel()
    let now = DispatchTime.now()
    let first = firstChange ?? now
    firstChange = first
    let item = DispatchWorkItem { [weak self] in
      self?.firstChange = nil
      self?.continuation.yield()
    }
    pending = item
    queue.asyncAfter(deadline: min(now + Self.quiet, first + Self.patience), execute: item)
  }
}
