import Glibc

/// Finds a file that a state names, also where it has moved since.
struct AssetSearch {
  /// Where to look, the likeliest first.
  let folders: [String]

  /// A file's place, and whether it lies elsewhere than the state says; nil where it is nowhere.
  ///
  /// A path that is not absolute counts from each of the folders in turn, an absolute one as it is;
  /// after that the file's name alone is looked for in the folders.
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
