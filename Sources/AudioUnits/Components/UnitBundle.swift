import Documents
import Glibc

/// A unit bundle's folder, `Name.unit`, and the paths of its files.
public struct UnitBundle: Sendable, Hashable {
  /// The absolute path, without a slash at the end.
  public let path: String

  public init(path: String) {
    var path = FilePath.absolute(path)[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    self.path = String(path)
  }

  /// Creates the bundle that a library belongs to; nil for a library outside of bundles.
  package init?(libraryPath: String) {
    let ending = "/\(Self.platform)/\(Self.libraryName)"
    let path = FilePath.absolute(libraryPath)
    guard path.hasSuffix(ending) else { return nil }
    self.init(path: String(path.dropLast(ending.count)))
    guard WholeFile.isThere(manifestPath) else { return nil }
  }

  package static let suffix = ".unit"
  package static let manifestName = "unit.yaml"
  /// The subfolder of the library for this machine.
  package static let platform = "\(architecture)-linux"
  package static let libraryName = "unit.so"

  /// The folder containing the bundle.
  var folder: String { FilePath.folder(of: path) }
  /// The bundle's file name; "Ring.unit".
  package var fileName: String { String(FilePath.name(of: path)) }
  package var manifestPath: String { "\(path)/\(Self.manifestName)" }
  package var platformFolder: String { "\(path)/\(Self.platform)" }
  package var libraryPath: String { "\(platformFolder)/\(Self.libraryName)" }

  /// The architectures that the bundle has a library for, sorted; "x86_64".
  package var architectures: [String] {
    Folder.names(in: path).compactMap { name in
      guard name.hasSuffix("-linux"), WholeFile.isThere("\(path)/\(name)/\(Self.libraryName)")
      else { return nil }
      return String(name.dropLast("-linux".count))
    }
  }

  /// Returns the path of a file in the bundle; nil for a name that leads out of it.
  func filePath(of name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == ".." }) else { return nil }
    return "\(path)/\(name)"
  }

  #if arch(x86_64)
    private static let architecture = "x86_64"
  #elseif arch(arm64)
    private static let architecture = "aarch64"
  #elseif arch(riscv64)
    private static let architecture = "riscv64"
  #else
    private static let architecture = "unknown"
  #endif
}

/// A stamp that distinguishes the states of a file.
package struct FileStamp: Sendable, Hashable, Codable {
  private var seconds: Int
  private var nanoseconds: Int
  private var size: Int
  private var inode: UInt64

  /// Reads a file's stamp; nil if there is no such file.
  package init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    seconds = facts.st_mtim.tv_sec
    nanoseconds = facts.st_mtim.tv_nsec
    size = Int(facts.st_size)
    inode = UInt64(facts.st_ino)
  }
}
