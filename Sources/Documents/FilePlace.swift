import Glibc

/// The place of a file with links resolved, whether or not the file exists.
package enum FilePlace {
  /// A path without links; nil where no file could be, `errno` saying why.
  package static func resolve(_ path: String) -> String? {
    var path = path
    for _ in 0..<mostLinks {
      if let real = realPath(path) { return real }
      guard errno == ENOENT else { return nil }
      // Not there: a new file, or a link to where one is wanted.
      let (folder, name) = split(path)
      guard let target = linkTarget(path) else { return realPath(folder).map { "\($0)/\(name)" } }
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    errno = ELOOP
    return nil
  }

  /// A path from the root, whether or not there is anything; links stay, "." and ".." go.
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

  /// As many as Linux follows (path_resolution(7)).
  private static let mostLinks = 40

  /// The folder and the name of a file.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), path[path.index(after: slash)...])
  }

  /// `; did you mean “voice.wav”?` for a path where nothing is, beside a file of nearly that name;
  /// otherwise empty.
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
