import Glibc
import RackEngine

/// Reads files that are small by nature, and never waits for one that is none.
enum InputFile {
  /// The bytes of a file, `limit` and one more at the most, so that a reader of the format can tell
  /// that it is too large.
  ///
  /// A pipe would keep the program waiting; only where the shell made it, as standard input or as
  /// `<(...)`, is it meant.
  static func read(_ path: String, limit: Int) throws(RackError) -> [UInt8] {
    let isOfTheShell = path == "/dev/stdin" || path.hasPrefix("/dev/fd/")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isOfTheShell ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure() }
    guard isOfTheShell || facts.st_mode & S_IFMT == S_IFREG else {
      throw RackError(
        facts.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is no regular file")
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &block, min(block.count, limit + 1 - bytes.count))
      guard count >= 0 else { throw failure() }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  static func isRegular(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  private static func failure() -> RackError {
    RackError("cannot be read: \(String(cString: strerror(errno)))")
  }
}
