import CLinux
import Documents
import Glibc

/// The control sockets of one user's racks: their paths, and functions to open them.
///
/// `$XDG_RUNTIME_DIR/backline/<client name>.sock`, which only that user can open.
public enum ControlSocket {
  private static let suffix = ".sock"

  /// Returns the path of the socket of the rack that plays as this JACK client.
  public static func path(for client: String) -> String {
    // A client's name may contain a slash, a file's may not.
    "\(UserFolders.runtime)/\(String(client.map { $0 == "/" ? "_" : $0 }))\(suffix)"
  }

  /// The names of the racks that play, sorted, including racks that do not answer at present.
  public static var names: [String] {
    Folder.names(in: UserFolders.runtime).filter { $0.hasSuffix(suffix) }.filter {
      isServed("\(UserFolders.runtime)/\($0)")
    }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  /// The timeout for a rack to accept a connection and to greet, in seconds. A suspended rack never does.
  public static let timeout = 3

  /// Connects to a rack; returns the descriptor, which the caller closes.
  ///
  /// - Parameter timeout: the longest wait of connecting and of each send, in seconds, at least 1.
  /// - Throws: `ControlError` with the system's reason, or if the rack does not answer.
  public static func connect(
    to path: String, within timeout: Int = timeout
  ) throws(ControlError) -> Int32 {
    let descriptor = try open()
    var time = timeval(tv_sec: max(timeout, 1), tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    let reason: Int32
    do { reason = try reach(path, by: descriptor) } catch {
      close(descriptor)
      throw error
    }
    guard reason == 0 else {
      close(descriptor)
      throw ControlError(
        reason == EAGAIN
          ? "\(path): the rack does not answer; is it suspended?"
          : "\(path): \(String(cString: strerror(reason)))")
    }
    return descriptor
  }

  /// Whether a program serves the socket, even if it does not answer. Does not wait.
  static func isServed(_ path: String) -> Bool {
    guard let descriptor = try? open(SOCK_NONBLOCK) else { return false }
    defer { close(descriptor) }
    let reason = try? reach(path, by: descriptor)
    // EAGAIN: the queue of waiting connections is full.
    return reason == 0 || reason == EAGAIN
  }

  /// Connects a socket; returns 0 or an error number.
  private static func reach(_ path: String, by descriptor: Int32) throws(ControlError) -> Int32 {
    try withAddress(of: path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  /// Creates a listening socket and returns its descriptor. Replaces a socket that no program serves any more.
  ///
  /// - Throws: `ControlError` if another program serves the path, or other users can write to the folder.
  static func listen(at path: String) throws(ControlError) -> Int32 {
    // Two programs that start at once must not mistake each other's new socket for an old one.
    let lock = try lockFolder(of: path)
    defer { close(lock) }
    if isServed(path) {
      throw ControlError("\(path) is served by another rack of this name")
    }
    if isSocket(path) { unlink(path) }
    let descriptor = try open()
    fchmod(descriptor, 0o600)
    let status = try withAddress(of: path) { bind(descriptor, $0, $1) }
    guard status == 0, Glibc.listen(descriptor, 16) == 0 else {
      let error = ControlError(path: path)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes the socket, unless another program has replaced it.
  static func remove(_ path: String, madeAs facts: stat) {
    guard let lock = try? lockFolder(of: path) else { return }
    defer { close(lock) }
    var now = stat()
    if lstat(path, &now) == 0, now.st_ino == facts.st_ino, now.st_dev == facts.st_dev {
      unlink(path)
    }
  }

  private static func open(
    _ flags: __socket_type = SOCK_CLOEXEC
  ) throws(ControlError) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    guard descriptor >= 0 else { throw ControlError(path: "socket") }
    return descriptor
  }

  /// Locks the socket's folder until the returned descriptor is closed.
  private static func lockFolder(of path: String) throws(ControlError) -> Int32 {
    let folder = FilePath.folder(of: path)
    mkdir(folder, 0o700)
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw ControlError(path: folder) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0
    else {
      close(descriptor)
      throw ControlError("other users can access \(folder), so no socket is made in it")
    }
    guard flock(descriptor, LOCK_EX) == 0 else {
      let error = ControlError(path: folder)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func isSocket(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(ControlError) -> Int32 {
    guard let result = UnixAddress.with(path.utf8, body) else {
      throw ControlError("\(path) is too long for a socket")
    }
    return result
  }
}
