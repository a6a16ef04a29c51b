import CLinux
import Documents
import Glibc

/// A copy of a library in memory, so that overwriting the file does not change running code.
final class LibraryCopy: Sendable {
  /// The copy's file descriptor; closed by `deinit`, and never while the loader keeps the library.
  let descriptor: Int32

  /// The largest library that is copied, bytes; larger than any library with one unit in it.
  private static let maximumBytes = 1 << 28

  /// Copies a library.
  ///
  /// - Throws: `BundleFault` that names the file.
  init(_ path: String) throws(BundleFault) {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path, limit: Self.maximumBytes)
    } catch {
      throw BundleFault(error.description)
    }
    descriptor = bl_memory_file(String(path.suffix(50)))
    guard descriptor >= 0, WholeFile.append(bytes, to: descriptor) else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw BundleFault("\(path): \(reason)")
    }
  }

  deinit { close(descriptor) }
}
