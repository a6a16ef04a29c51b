import CSystem
import Documents
import Glibc

/// A library as it was, in memory: whoever overwrites the file does not overwrite code that runs.
final class LibraryCopy: Sendable {
  /// Closed with this, or never where the loader keeps it.
  let descriptor: Int32

  /// Larger than any library with one unit in it.
  private static let mostBytes = 1 << 28

  /// - Throws: `BundleFault` that names the file.
  init(_ path: String) throws(BundleFault) {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path, limit: Self.mostBytes)
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
