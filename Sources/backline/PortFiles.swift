import ArgumentParser
import Documents
import Glibc

/// The files of ports, from options such as `--in mic=voice.wav`.
struct PortFiles {
  /// The files or patterns by port, in the order of the options.
  private(set) var all: [String: [String]] = [:]

  /// Parses options.
  ///
  /// - Parameter name: the name of the option, for messages.
  init(_ options: [String], _ name: String) throws {
    for option in options {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("\(name) “\(option)”: write PORT=FILE")
      }
      all[parts[0], default: []].append(parts[1])
    }
  }

  func adding(_ other: PortFiles) throws -> PortFiles {
    var sum = self
    for (port, files) in other.all { sum.all[port, default: []] += files }
    return sum
  }

  /// Returns the file of each port.
  ///
  /// - Parameter name: the name of the option, for messages.
  /// - Throws: `ValidationError` if a port has several files.
  func single(_ name: String) throws -> [String: String] {
    try all.mapValues { files in
      guard files.count == 1 else {
        let port = all.first { $0.value == files }?.key ?? ""
        throw ValidationError(
          "\(name) names \(port) twice" + (name == "--out" ? "" : "; many files need --out-dir"))
      }
      return files[0]
    }
  }

  /// Returns the files of a port, those of a pattern with * or ? in order.
  func all(of port: String) throws -> [String] { try (all[port] ?? []).flatMap(Self.matches) }

  /// Returns the files that match a pattern.
  static func matches(_ pattern: String) throws -> [String] {
    guard !WholeFile.isThere(pattern), pattern.contains(where: "*?[".contains) else {
      return [pattern]
    }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else {
      throw Failure("\(pattern): there is no such file")
    }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
