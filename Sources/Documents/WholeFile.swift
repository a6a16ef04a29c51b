import Glibc
import Synchronization

/// The reason why a file could not be read or written, for messages.
public struct FileError: Error, Sendable, CustomStringConvertible {
  public var path: String
  public var reason: String
  public var description: String { "\(path): \(reason)" }

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Creates an error with the reason that `errno` holds.
  package init(path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }
}

/// Files that are written whole or not at all, even if the program is killed.
package enum WholeFile {
  /// The suffix of temporary files, which a killed writer leaves behind.
  package static let temporarySuffix = ".partial"

  private static let writerCount = Atomic<Int>(0)

  /// Replaces the file by `bytes` once they are flushed to the disk; if the path is a link,
  /// replaces its target. A replaced file keeps its mode, and its owner if the system permits.
  ///
  /// `durably` false: does not wait for the disk, for data that can be computed again. `asNew`: fails
  /// if the file exists.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, durably: Bool = true, asNew: Bool = false
  ) throws(FileError) {
    try Prepared(bytes, path: path, durably: durably).putInPlace(asNew: asNew)
  }

  /// A file that is complete and not in its place yet; deleted if it never gets there.
  package final class Prepared {
    private let path: String
    package let place: String
    package let temporary: String
    private let durably: Bool
    private var isWaiting = true

    /// Writes `bytes` beside their destination.
    package init(
      _ bytes: some Collection<UInt8>, path: String, durably: Bool = true
    ) throws(FileError) {
      guard let place = FilePath.resolve(path) else { throw FileError(path: path) }
      let (folder, name) = FilePath.split(place)
      (self.path, self.place, self.durably) = (path, place, durably)
      // The name is unique to this writer: others in this process may be writing the same file.
      let number = writerCount.wrappingAdd(1, ordering: .relaxed).newValue
      temporary = "\(folder)/.\(name).\(getpid()).\(number)\(temporarySuffix)"
      unlink(temporary)
      let descriptor = FilePermissions.create(temporary, inPlaceOf: place, flags: O_WRONLY)
      guard descriptor >= 0 else { throw FileError(path: path) }
      defer { close(descriptor) }
      guard append(Array(bytes), to: descriptor), !durably || fsync(descriptor) == 0 else {
        let error = FileError(path: path)
        unlink(temporary)
        throw error
      }
    }

    deinit { if isWaiting { unlink(temporary) } }

    package func putInPlace(asNew: Bool = false) throws(FileError) {
      guard (asNew ? renameToNew() : rename(temporary, place)) == 0 else {
        throw FileError(path: path)
      }
      isWaiting = false
      if durably { syncFolder(FilePath.folder(of: place)) }
    }

    /// Renames without replacing; on a file system without hard links, such as a memory card's,
    /// this is not atomic.
    private func renameToNew() -> Int32 {
      if link(temporary, place) == 0 { return unlink(temporary) }
      var facts = stat()
      guard errno != EEXIST, lstat(place, &facts) != 0 else {
        errno = EEXIST
        return -1
      }
      return rename(temporary, place)
    }
  }

  /// Renames completed files to their places: all of them, or none if one fails.
  package static func putInPlace(_ files: [(temporary: String, place: String)]) throws(FileError) {
    var done: [(former: String, place: String)] = []
    defer { for file in done { unlink(file.former) } }
    for file in files {
      let former = "\(file.temporary).former"
      // A file system without hard links has nothing under the name for a moment.
      let isKept =
        link(file.place, former) == 0 || errno == ENOENT
        || isThere(file.place) && rename(file.place, former) == 0
      done.append((former, file.place))
      if isKept, rename(file.temporary, file.place) == 0 { continue }
      let error = FileError(path: file.place)
      for (former, place) in done.reversed() where rename(former, place) != 0 && place != file.place
      {
        unlink(place)
      }
      throw error
    }
  }

  /// Checks whether an existing file could be replaced: whether it and its folder are writable.
  package static func checkReplaceable(_ path: String) throws(FileError) {
    guard let place = FilePath.resolve(path), access(place, W_OK) == 0 else {
      throw FileError(path: path)
    }
    let folder = FilePath.folder(of: place)
    guard access(folder, W_OK | X_OK) == 0 else { throw FileError(path: folder) }
  }

  /// Flushes the names in a folder to the disk.
  package static func syncFolder(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Returns the bytes of a file, at most `limit` plus one, so that the format's reader can tell
  /// that it is too large.
  ///
  /// A pipe would block the program, so it is accepted only if the shell made it, as standard input
  /// or as `<(...)`.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let isOfTheShell = path == "/dev/stdin" || path.hasPrefix("/dev/fd/")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isOfTheShell ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw unreadable(path) }
    guard isOfTheShell || facts.st_mode & S_IFMT == S_IFREG else {
      throw FileError(
        path: path,
        reason: facts.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is no regular file")
    }
    var bytes: [UInt8] = []
    // Read a regular file of that size at once, including its end.
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    let size = isFile ? min(max(facts.st_size, 4095) + 1, 65_536) : 65_536
    var block = [UInt8](repeating: 0, count: size)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &block, min(block.count, limit + 1 - bytes.count))
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// Whether there is a regular file at this path.
  package static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  private static func unreadable(_ path: String) -> FileError {
    FileError(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
  }

  /// Writes all of `bytes`; returns false, with the reason in `errno`, if that fails.
  package static func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
