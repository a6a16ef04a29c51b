import Documents
import RackModel

/// The places of boxes that a person has moved, of all racks, in one file of the user's data.
public struct RackLayouts: Sendable {
  /// By rack, and by the names of its boxes.
  private let file: SharedFile<[String: [String: BoxPlace]]>

  /// - Parameter file: by default that of the user who runs the program.
  public init(file: String? = nil) {
    self.file = SharedFile(file ?? "\(UserFolders.data)/layouts.json", empty: [:])
  }

  /// The places of a rack's boxes; none where the file cannot be read.
  func places(of rack: String) -> [String: BoxPlace] { (try? file.read())?[rack] ?? [:] }

  /// - Throws: `FileError`; the file is then as before.
  func change(_ rack: String, _ body: (inout [String: BoxPlace]) -> Void) throws(FileError) {
    try file.change(durably: false) { all in
      var places = all[rack] ?? [:]
      body(&places)
      all[rack] = places.isEmpty ? nil : places
    }
  }
}
