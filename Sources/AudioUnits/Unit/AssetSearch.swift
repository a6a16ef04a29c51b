import Glibc

/// Finds a file that a state names, even if it has moved.
struct AssetSearch {
  /// The folders to search, the likeliest first.
  let folders: [String]

  /// A file's path, and whether it differs from the state's; nil where the file is not found.
  ///
  /// A relative path is tried from each folder in turn, an absolute one as it is; then the file's name
  /// alone is searched in the folders.
  func find(_ path: String) -> (path: String, isElsewhere: Bool)? {
    if path.hasPrefix("/") {
      if isFile(path) { return (path, false) }
    } else {
      for (place, folder) in folders.enumerated() where isFile("\(folder)/\(path)") {
        return ("\(folder)/\(path)", place > 0)
      }
      if folders.isEmpty, isFile(path) { return (path, false) }
    }
    let name = path.split(separator: "/").last ?? ""
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isFile).map { ($0, true) }
  }

  private func isFile(_ path: String) -> Bool { access(path, R_OK) == 0 }
}
