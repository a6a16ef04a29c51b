import Glibc

/// The mode and owner of a file, for a file that replaces it.
package struct FilePermissions {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// Reads the permissions of a file; nil if it is not a regular file.
  private init?(of path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    (mode, owner, group) = (facts.st_mode & 0o7777, facts.st_uid, facts.st_gid)
  }

  /// Creates a file with the permissions of the file at `place`; if there is none, with those of a
  /// new file.
  ///
  /// Only a process that may give files away keeps another owner's. A group that cannot be kept does
  /// not pass its rights on: the new group gets no more than everybody has. Returns a descriptor, or
  /// -1 with `errno`.
  package static func create(_ path: String, inPlaceOf place: String, flags: Int32) -> Int32 {
    let former = FilePermissions(of: place)
    // The file must never be readable for more users than in the end, not even at first.
    let descriptor = open(
      path, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      former.map { $0.mode & 0o700 | 0o600 } ?? 0o666)
    if descriptor >= 0 { former?.give(to: descriptor) }
    return descriptor
  }

  private func give(to descriptor: Int32) {
    var facts = stat()
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
    guard fstat(descriptor, &facts) == 0 else { return }
    var mode = mode
    if facts.st_uid != owner { mode &= ~S_ISUID }
    if facts.st_gid != group { mode = mode & ~(S_ISGID | 0o070) | (mode & (mode & 0o007) << 3) }
    fchmod(descriptor, mode)
  }
}
