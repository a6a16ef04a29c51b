import Glibc

/// Where a person's own files lie, as the XDG Base Directory Specification has it.
package enum UserFolders {
  /// What a person has made and would miss: presets, units.
  package static var data: String { folder("XDG_DATA_HOME", ".local/share") }
  /// What a person has chosen: tags.
  package static var configuration: String { folder("XDG_CONFIG_HOME", ".config") }
  /// What can be found out again.
  package static var cache: String { folder("XDG_CACHE_HOME", ".cache") }

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
