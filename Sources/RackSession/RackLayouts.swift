import Documents
import RackModel

/// The positions of boxes that the user has moved, for all racks, in one file of the user's data.
public struct RackLayouts: Sendable {
  /// The file of positions by rack and by name of box.
  private let file: SharedFile<[String: [String: BoxPlace]]>

  /// - Parameter file: the path of the file; nil for `layouts.json` in the user's data folder.
  public init(file: String? = nil) {
    self.file = SharedFile(file ?? "\(UserFolders.data)/layouts.json", empty: [:])
  }

  /// Returns the positions of a rack's boxes by name; empty if the file cannot be read.
  func places(of rack: String) -> [String: BoxPlace] { (try? file.read())?[rack] ?? [:] }

  /// Changes the positions of a rack's boxes.
  ///
  /// - Throws: `FileError`; the file is unchanged then.
  func change(_ rack: String, _ body: (inout [String: BoxPlace]) -> Void) throws(FileError) {
    try file.change(durably: false) { all in
      var places = all[rack] ?? [:]
      body(&places)
      all[rack] = places.isEmpty ? nil : places
    }
  }
}
