import Glibc

/// The user's folders, as the XDG Base Directory Specification defines them.
package enum UserFolders {
  /// The folder of data that the user creates: presets, units.
  package static var data: String { folder("XDG_DATA_HOME", ".local/share") }
  /// The folder of the user's settings: tags.
  package static var configuration: String { folder("XDG_CONFIG_HOME", ".config") }
  /// The folder of data that can be computed again.
  package static var cache: String { folder("XDG_CACHE_HOME", ".cache") }

  /// The folder of sockets, which last as long as a program runs. If the system has none, a folder
  /// under /tmp, which other users can see.
  package static var runtime: String {
    if let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), value.hasPrefix("/") {
      return "\(value)/backline"
    }
    let usual = "/run/user/\(getuid())"
    return access(usual, W_OK) == 0 ? "\(usual)/backline" : "/tmp/backline-\(getuid())"
  }

  /// Returns the folder of a variable; one that is not an absolute path counts as unset, as the
  /// specification says.
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
