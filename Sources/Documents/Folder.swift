import Glibc

/// Folders of the file system.
package enum Folder {
  /// Creates a folder and its missing parents.
  package static func make(_ path: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw FileError(path: made) }
    }
  }

  /// Whether the path is a folder.
  package static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the sorted names in a folder; empty if there is no such folder.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Runs `body` with an exclusive lock on the folder (`flock`), waiting for the lock.
  package static func locked<Result, Failure: Error>(
    _ path: String, _ body: () throws(Failure) -> Result
  ) throws -> Result {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileError(path: path) }
    }
    return try body()
  }
}
