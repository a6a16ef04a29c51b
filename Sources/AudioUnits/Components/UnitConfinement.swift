import CConfinement
import Glibc

/// What is left to a process that loads libraries of units (docs/internals/confinement.md).
package struct UnitConfinement {
  /// The warning for a system that lacks a mechanism.
  package static func warning(lacking mechanisms: String) -> String {
    "units are less confined here than elsewhere, for want of \(mechanisms)"
  }

  /// Files and folders that the process may read.
  private let readablePaths: [String]
  /// Bytes of address space, open descriptors, bytes of a file; 0 for no limit.
  private let limits: (memory: UInt64, descriptors: UInt32, fileSize: UInt64)

  /// A library in a bundle may read the whole bundle, any other library only itself.
  package init(
    libraryPaths: [String],
    limits: (memory: UInt64, descriptors: UInt32, fileSize: UInt64)
  ) {
    readablePaths = libraryPaths.map { UnitBundle(libraryPath: $0)?.path ?? $0 }
    self.limits = limits
  }

  /// Confines this process for good. To be called by its only thread, before a library is loaded.
  /// Refusals are written to `descriptor`, as lines (refusal_line.h). Answers what the kernel lacks;
  /// nil for nothing.
  package func begin(writingRefusalsTo descriptor: Int32) -> String? {
    var paths: [UnsafePointer<CChar>?] = readablePaths.map { UnsafePointer(strdup($0)) }
    paths.append(nil)
    defer { for path in paths { free(UnsafeMutablePointer(mutating: path)) } }
    var missing = [CChar](repeating: 0, count: 512)
    bl_refusal_write_to(descriptor)
    paths.withUnsafeBufferPointer { paths in
      var confinement = bl_confinement()
      confinement.readable_paths = paths.baseAddress
      confinement.memory_limit = limits.memory
      confinement.descriptor_limit = limits.descriptors
      confinement.file_size_limit = limits.fileSize
      confinement.tell = bl_refusal_write
      _ = bl_confine(&confinement, &missing, missing.count)
    }
    let text = String(
      decoding: missing.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
