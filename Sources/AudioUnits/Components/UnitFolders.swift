import Documents

/// The folders of unit bundles, in order of precedence.
public struct UnitFolders: Sendable, Equatable {
  /// The folders of bundles; absolute paths.
  public var paths: [String]
  /// The folders of plug-ins of other formats.
  public var plugIns: PlugInFolders

  public init(_ paths: [String], plugIns: PlugInFolders = PlugInFolders()) {
    self.paths = paths.map { UnitBundle(path: $0).path }
    self.plugIns = plugIns
  }

  /// The user's folder (`$XDG_DATA_HOME/backline/units`) and the system's.
  public static var standard: UnitFolders {
    UnitFolders(
      ["\(UserFolders.data)/units", "/usr/local/lib/backline/units", "/usr/lib/backline/units"],
      plugIns: .standard)
  }

  /// The folder of a rack's own units, beside the rack file.
  package static func besideRack(in folder: String) -> String { "\(folder)/units" }

  /// Returns the bundles in a folder, sorted by name.
  static func bundles(in folder: String) -> [UnitBundle] {
    Folder.names(in: folder).filter { $0.hasSuffix(UnitBundle.suffix) && !$0.hasPrefix(".") }
      .map { UnitBundle(path: "\(folder)/\($0)") }
  }
}
