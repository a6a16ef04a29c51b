import Documents
import Glibc

/// The files that come with Backline: racks, sounds, presets, templates.
package enum DataFolder {
  /// Returns the path of a file that comes with Backline; nil if there is none.
  ///
  /// Searches `$BACKLINE_DATA`, the program's `../share/backline`, the folders above the program,
  /// Backline's source folder, `/usr/local/share/backline` and `/usr/share/backline`, in that order.
  package static func find(_ relativePath: String) -> String? {
    candidates.map { "\($0)/\(relativePath)" }.first { access($0, R_OK) == 0 }
  }

  /// Returns the sorted names in a folder that comes with Backline.
  package static func contents(_ relativePath: String) -> [String] {
    find(relativePath).map(Folder.names) ?? []
  }

  private static var candidates: [String] {
    var folders: [String] = []
    if let own = getenv("BACKLINE_DATA") { folders.append(String(cString: own)) }
    if let program = FilePath.resolve("/proc/self/exe") {
      folders.append("\(folder(program, above: 2))/share/backline")
      for level in 1..<program.split(separator: "/").count {
        folders.append(folder(program, above: level))
      }
    }
    return folders + [
      folder(#filePath, above: 3), "/usr/local/share/backline", "/usr/share/backline",
    ]
  }

  private static func folder(_ path: String, above levels: Int) -> String {
    (0..<levels).reduce(path) { path, _ in FilePath.folder(of: path) }
  }
}
