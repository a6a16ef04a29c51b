import AsyncSupport
import Documents
import Glibc

/// The programs that load units outside this process: `backline-unit`, which renders them,
/// `backline-validator`, and `backline`, which reads the libraries of bundles.
///
/// Each is searched for in `folder`, in the folder that the environment variable BACKLINE_PROGRAMS
/// names, beside this program, and in the folders of PATH. Any thread may call.
public enum HelperPrograms {
  /// The folder to search first; nil for none.
  public static var folder: String? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  private static let chosen = Guarded<String?>(nil)

  /// The error of a helper program that was not found.
  public struct Missing: Error, CustomStringConvertible {
    public var program: String
    public var description: String {
      "the program \(program) was not found in BACKLINE_PROGRAMS, beside this program or in PATH;"
        + " build it with “swift build --product \(program)” or name its folder"
    }
  }

  /// Returns the path of a helper program.
  ///
  /// - Throws: `Missing`.
  package static func path(_ name: String) throws(Missing) -> String {
    let own = FilePath.resolve("/proc/self/exe").map { FilePath.folder(of: $0) }
    var folders = [folder, value("BACKLINE_PROGRAMS"), own].compactMap { $0 }
    folders += value("PATH")?.split(separator: ":").map(String.init) ?? []
    let found = folders.map { "\($0)/\(name)" }.first {
      access($0, X_OK) == 0 && WholeFile.isThere($0)
    }
    guard let found else { throw Missing(program: name) }
    return found
  }

  private static func value(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }
}
