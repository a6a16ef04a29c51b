import Documents
import Glibc

/// Where the racks and sounds that come with Backline are.
package enum DataFolder {
  /// The path of a file that comes with Backline; nil where it is not to be found.
  ///
  /// Looked for in `$BACKLINE_DATA`, beside the program as installed (`../share/backline`), and
  /// where the program was built (the folders above it).
  package static func find(_ relativePath: String) -> String? {
    candidates.map { "\($0)/\(relativePath)" }.first { access($0, R_OK) == 0 }
  }

  /// The names in a folder that comes with Backline, in order.
  package static func contents(_ relativePath: String) -> [String] {
    find(relativePath).map(Folder.names) ?? []
  }

  private static var candidates: [String] {
    var folders: [String] = []
    if let own = getenv("BACKLINE_DATA") { folders.append(String(cString: own)) }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { return folders }
    let program = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var parts = program.split(separator: "/").dropLast()
    folders.append("/" + parts.dropLast().joined(separator: "/") + "/share/backline")
    while !parts.isEmpty {
      folders.append("/" + parts.joined(separator: "/"))
      parts = parts.dropLast()
    }
    return folders
  }
}
