import Glibc

/// Where a person's own files lie, as the XDG Base Directory Specification has it.
package enum UserFolders {
  /// Data that a person made: presets, units.
  package static var data: String { folder("XDG_DATA_HOME", ".local/share") }
  /// Choices of a person: tags.
  package static var configuration: String { folder("XDG_CONFIG_HOME", ".config") }
  /// Data that can be computed again.
  package static var cache: String { folder("XDG_CACHE_HOME", ".cache") }

  /// Sockets, which last as long as a program runs. Where the system has no such folder, a folder
  /// under /tmp, which others can see.
  package static var runtime: String {
    if let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), value.hasPrefix("/") {
      return "\(value)/backline"
    }
    let usual = "/run/user/\(getuid())"
    return access(usual, W_OK) == 0 ? "\(usual)/backline" : "/tmp/backline-\(getuid())"
  }

  /// A variable that is no absolute path counts as not set, as the specification says.
  private static func folder(_ variable: String, _ usual: String) -> String {
    if let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") {
      return "\(value)/backline"
    }
    return "\(home)/\(usual)/backline"
  }

  private static var home: String {
    if let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty { return home }
    guard let entry = getpwuid(getuid()) else { return "/" }
    return String(cString: entry.pointee.pw_dir)
  }
}
