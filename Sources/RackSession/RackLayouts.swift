import Documents
import FoundationEssentials
import RackModel

/// The places of boxes that a person has moved, of all racks, in one file of the user's data.
///
/// Programs that play other racks write the same file: one at a time, each reading it first.
public struct RackLayouts: Sendable {
  /// By rack, and by the names of its boxes.
  typealias Places = [String: [String: BoxPlace]]

  private let file: String
  private static let longest = 1 << 24

  /// - Parameter file: by default that of the user who runs the program.
  public init(file: String? = nil) { self.file = file ?? "\(UserFolders.data)/layouts.json" }

  /// The places of a rack's boxes; none where the file cannot be read.
  func places(of rack: String) -> [String: BoxPlace] { read()[rack] ?? [:] }

  /// - Throws: `FileError`; the file is then as before.
  func change(_ rack: String, _ body: (inout [String: BoxPlace]) -> Void) throws {
    let folder = FilePlace.split(file).folder
    try Folder.make(folder)
    try Folder.locked(folder) {
      var all = read()
      var places = all[rack] ?? [:]
      body(&places)
      all[rack] = places.isEmpty ? nil : places
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try WholeFile.write(Array(try encoder.encode(all)), to: file, durably: false)
    }
  }

  private func read() -> Places {
    guard let bytes = try? WholeFile.read(file, limit: Self.longest) else { return [:] }
    return (try? JSONDecoder().decode(Places.self, from: Data(bytes))) ?? [:]
  }
}
