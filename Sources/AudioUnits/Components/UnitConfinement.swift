import CConfinement
import Glibc

/// The confinement of a process that loads libraries of units (docs/internals/confinement.md).
package struct UnitConfinement {
  /// Returns the warning for a system that lacks some of the mechanisms.
  package static func warning(missing mechanisms: String) -> String {
    "units are less confined here than elsewhere: this system does not have \(mechanisms)"
  }

  /// The files and folders that the process may read.
  private let readablePaths: [String]
  /// The limits of address space (bytes), open descriptors and file size (bytes); 0 for no limit.
  private let limits: (memory: UInt64, descriptors: UInt32, fileSize: UInt64)

  /// Creates a confinement; a library in a bundle may read the whole bundle, any other library only
  /// itself.
  package init(
    libraryPaths: [String],
    limits: (memory: UInt64, descriptors: UInt32, fileSize: UInt64)
  ) {
    readablePaths = libraryPaths.map { UnitBundle(libraryPath: $0)?.path ?? $0 }
    self.limits = limits
  }

  /// Confines this process for good. Its only thread must call this before a library is loaded.
  /// Refusals are written to `descriptor`, as lines that start with `BL_REFUSAL_PREFIX`. Returns the
  /// mechanisms that the system lacks; nil if it lacks none.
  package func apply(writingRefusalsTo descriptor: Int32) -> String? {
    var paths: [UnsafePointer<CChar>?] = readablePaths.map { UnsafePointer(strdup($0)) }
    paths.append(nil)
    defer { for path in paths { free(UnsafeMutablePointer(mutating: path)) } }
    var missing = [CChar](repeating: 0, count: 512)
    paths.withUnsafeBufferPointer { paths in
      var confinement = bl_confinement()
      confinement.readable_paths = paths.baseAddress
      confinement.memory_limit = limits.memory
      confinement.descriptor_limit = limits.descriptors
      confinement.file_size_limit = limits.fileSize
      confinement.report_descriptor = descriptor
      _ = bl_confine(&confinement, &missing, missing.count)
    }
    let text = String(missing)
    return text.isEmpty ? nil : text
  }
}
