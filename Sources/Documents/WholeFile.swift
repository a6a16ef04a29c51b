import Glibc
import Synchronization

/// Why a file could not be read or written, for people.
public struct FileError: Error, Sendable, CustomStringConvertible {
  public var path: String
  public var reason: String
  public var description: String { "\(path): \(reason)" }

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// With the reason that `errno` holds.
  package init(path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }
}

/// Files that are written whole or not at all, even if the program is killed.
package enum WholeFile {
  /// The suffix of temporary files, which a killed writer leaves behind.
  package static let temporarySuffix = ".partial"

  private static let writerCount = Atomic<Int>(0)

  /// Puts `bytes` in the file's place once they are safe on the disk; where the path is a link, in
  /// the place of what it leads to. A file that is replaced keeps its mode, and its owner where the
  /// system lets us.
  ///
  /// `durably` false: does not wait for the disk, for data that can be computed again. `asNew`: fails
  /// where a file exists.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, durably: Bool = true, asNew: Bool = false
  ) throws(FileError) {
    try Prepared(bytes, path: path, durably: durably).putInPlace(asNew: asNew)
  }

  /// A file that is complete and not in its place yet; gone if it never gets there.
  package final class Prepared {
    private let path: String
    package let place: String
    package let temporary: String
    private let durably: Bool
    private var isWaiting = true

    /// Writes `bytes` beside the place that they are for.
    package init(
      _ bytes: some Collection<UInt8>, path: String, durably: Bool = true
    ) throws(FileError) {
      guard let place = FilePlace.resolve(path) else { throw FileError(path: path) }
      let (folder, name) = FilePlace.split(place)
      (self.path, self.place, self.durably) = (path, place, durably)
      // Of this writer alone: others in this process may be writing the same file.
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
      if durably { syncFolder(FilePlace.split(place).folder) }
    }

    /// Where a file system has no links, as that of a memory card, it is not one step.
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

  /// Renames completed files to their places: all of them or, where one fails, none.
  package static func putInPlace(_ files: [(temporary: String, place: String)]) throws(FileError) {
    var done: [(former: String, place: String)] = []
    defer { for file in done { unlink(file.former) } }
    for file in files {
      let former = "\(file.temporary).former"
      // A file system without links has nothing under the name for a moment.
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

  /// Finds out whether a file that is there could be replaced: whether it, and its folder, may be
  /// written to.
  package static func checkReplaceable(_ path: String) throws(FileError) {
    guard let place = FilePlace.resolve(path), access(place, W_OK) == 0 else {
      throw FileError(path: path)
    }
    let folder = FilePlace.split(place).folder
    guard access(folder, W_OK | X_OK) == 0 else { throw FileError(path: folder) }
  }

  /// Makes the names in a folder safe on the disk.
  package static func syncFolder(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The bytes of a file, `limit` and one more at the most, so that a reader of the format can tell
  /// that it is too large.
  ///
  /// A pipe would keep the program waiting; only where the shell made it, as standard input or as
  /// `<(...)`, is it meant.
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
    // A regular file of that size is read at once, and its end found.
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

  /// Writes all of `bytes`; false, and why in `errno`, where that cannot be.
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
