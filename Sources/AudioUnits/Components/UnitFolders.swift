import Documents

/// The folders of unit bundles; earlier folders come first.
public struct UnitFolders: Sendable, Equatable {
  /// From the root.
  public var paths: [String]
  /// Those of plug-ins of other formats.
  public var plugIns: PlugInFolders

  public init(_ paths: [String], plugIns: PlugInFolders = PlugInFolders()) {
    self.paths = paths.map { UnitBundle(path: $0).path }
    self.plugIns = plugIns
  }

  /// The user's (`$XDG_DATA_HOME/backline/units`) and the system's.
  public static var standard: UnitFolders {
    UnitFolders(
      ["\(UserFolders.data)/units", "/usr/local/lib/backline/units", "/usr/lib/backline/units"],
      plugIns: .standard)
  }

  /// The folder of a rack's own units, beside the rack file.
  package static func besideRack(in folder: String) -> String { "\(folder)/units" }

  /// The bundles in a folder, in order of name.
  static func bundles(in folder: String) -> [UnitBundle] {
    Folder.names(in: folder).filter { $0.hasSuffix(UnitBundle.suffix) && !$0.hasPrefix(".") }
      .map { UnitBundle(path: "\(folder)/\($0)") }
  }
}
