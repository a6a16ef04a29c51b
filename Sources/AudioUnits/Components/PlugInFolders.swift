import Documents
import Glibc

/// The folders of LV2 bundles and of LADSPA libraries.
public struct PlugInFolders: Sendable, Equatable {
  /// The folders of LV2 bundles and of LADSPA libraries; absolute paths.
  public var lv2, ladspa: [String]

  public init(lv2: [String] = [], ladspa: [String] = []) { (self.lv2, self.ladspa) = (lv2, ladspa) }

  /// The folders of `LV2_PATH` and `LADSPA_PATH`, or else the usual ones.
  public static var standard: PlugInFolders {
    func folders(_ variable: String, _ name: String) -> [String] {
      if let path = getenv(variable) {
        return String(cString: path).split(separator: ":").map { FilePath.absolute(String($0)) }
      }
      let home = getenv("HOME").map { ["\(String(cString: $0))/.\(name)"] } ?? []
      return home
        + ["/usr/local/lib", "/usr/lib", "/usr/lib/x86_64-linux-gnu"].map { "\($0)/\(name)" }
    }
    return PlugInFolders(lv2: folders("LV2_PATH", "lv2"), ladspa: folders("LADSPA_PATH", "ladspa"))
  }

  var all: [String] { lv2 + ladspa }

  /// The paths that a process with a plug-in may read: plug-ins of one bundle use files of others, and
  /// libraries and sounds of the system.
  package var readablePaths: [String] { all.filter(Folder.isThere) + ["/usr/lib", "/usr/share"] }

  /// The folders' stamps, which differ once a bundle or a library was added, removed or rewritten.
  var stamp: [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for folder in all {
      for name in Folder.names(in: folder) {
        for file in ["\(folder)/\(name)", "\(folder)/\(name)/manifest.ttl"] {
          stamps[file] = FileStamp(file)
        }
      }
    }
    return stamps
  }
}
