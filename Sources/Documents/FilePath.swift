import Glibc

/// Paths of files, whether or not the files exist.
package enum FilePath {
  /// Returns a path without links; nil if no file could be there, with the reason in `errno`.
  package static func resolve(_ path: String) -> String? {
    var path = path
    for _ in 0..<maximumLinks {
      if let real = realPath(path) { return real }
      guard errno == ENOENT else { return nil }
      // The file does not exist: it is new, or a link to a new one.
      let (folder, name) = split(path)
      guard let target = linkTarget(path) else { return realPath(folder).map { "\($0)/\(name)" } }
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    errno = ELOOP
    return nil
  }

  /// Returns an absolute path, whether or not it exists; links stay, "." and ".." are removed.
  package static func absolute(_ path: String) -> String {
    var whole = path
    if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
      defer { free(here) }
      whole = "\(String(cString: here))/\(path)"
    }
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The most links to follow, the same as Linux (path_resolution(7)).
  private static let maximumLinks = 40

  /// Splits a path into its folder and name.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), path[path.index(after: slash)...])
  }

  /// Returns the folder of a path; "." for a name alone.
  package static func folder(of path: String) -> String { split(path).folder }

  /// Returns the last part of a path, without a slash at its end: `b` of `a/b/`.
  package static func name(of path: String) -> Substring {
    path.split(separator: "/").last ?? ""
  }

  /// Returns `; did you mean “voice.wav”?` for a missing file beside one of nearly that name;
  /// otherwise an empty text.
  package static func advice(on path: String) -> String {
    let (folder, name) = split(path)
    guard access(path, F_OK) != 0,
      let nearest = nearestWord(to: String(name), in: Folder.names(in: folder))
    else { return "" }
    return "; did you mean “\(path.dropLast(name.count))\(nearest)”?"
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func linkTarget(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
