import AudioUnits
import Documents
import RackModel

/// Reads and checks set lists with all their racks.
package enum SetListLoader {
  private static let suffix = ".setlist"

  /// Whether a name stands for a set list, rather than for a rack.
  package static func isSetList(_ name: String) -> Bool {
    guard let bytes = try? WholeFile.read(locate(name), limit: Rack.maximumSize) else {
      return false
    }
    return SetListChecker.isSetList(bytes)
  }

  /// Returns the path of the file that a name stands for: in the working folder, or with Backline.
  package static func locate(_ name: String) -> String {
    if WholeFile.isThere(name) || name.contains("/") { return name }
    return DataFolder.find("racks/\(name)\(suffix).yaml") ?? RackLoader.locate(name)
  }

  /// Reads a set list; returns the list, with its errors and warnings and those of its racks.
  package static func load(
    _ path: String, catalogue: ComponentCatalogue, mayMiss: Bool = false
  ) -> (list: CheckedSetList?, diagnostics: [Diagnostic]) {
    do {
      let bytes = try WholeFile.read(path, limit: Rack.maximumSize)
      let folder = RackLoader.folder(of: path)
      return checker(catalogue: catalogue, mayMiss: mayMiss) { locate($0, besides: folder) }
        .check(bytes, file: path)
    } catch {
      return (nil, [Diagnostic(file: path, position: .start, message: error.reason)])
    }
  }

  /// Returns a set list of racks in this order, without a file.
  package static func load(
    racks: [String], catalogue: ComponentCatalogue, mayMiss: Bool = false
  ) -> (list: CheckedSetList?, diagnostics: [Diagnostic]) {
    var counts: [String: Int] = [:]
    let songs = racks.map { rack in
      let name = RackLoader.word(for: rack)
      counts[name, default: 0] += 1
      let number = counts[name, default: 1]
      return Song(number > 1 ? "\(name) \(number)" : name, rack: rack)
    }
    let list = SetList("Set list", songs: songs)
    return checker(catalogue: catalogue, mayMiss: mayMiss, locate: RackLoader.locate).check(list)
  }

  /// The names of the set lists that come with Backline, in order.
  package static var shippedNames: [String] {
    DataFolder.contents("racks").filter { $0.hasSuffix("\(suffix).yaml") }
      .map { String($0.dropLast(suffix.count + 5)) }
  }

  private static func checker(
    catalogue: ComponentCatalogue, mayMiss: Bool, locate: @escaping (String) -> String
  ) -> SetListChecker {
    SetListChecker(
      locate: locate,
      load: { RackLoader.load($0, catalogue: catalogue, mayMiss: mayMiss, playsLive: true) })
  }

  /// Returns the path of a song's rack: a file beside the list, or by its name alone a rack that comes with
  /// Backline. A path keeps its meaning while its file is missing for a moment.
  private static func locate(_ rack: String, besides folder: String) -> String {
    let path = rack.hasPrefix("/") || folder == "." ? rack : "\(folder)/\(rack)"
    let isFile = rack.contains("/") || rack.hasSuffix(".yaml") || WholeFile.isThere(path)
    return isFile ? path : RackLoader.locate(rack)
  }
}
