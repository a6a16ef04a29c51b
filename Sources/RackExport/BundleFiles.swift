import AudioUnits
import Documents
import Glibc
import UnitModel

/// The files in an LV2 bundle that its units read.
struct BundleFiles {
  /// The path in the bundle of each file that a property names, by absolute path.
  private(set) var places: [String: String] = [:]
  /// The absolute path of every file, by its path in the bundle.
  private(set) var sources: [String: String] = [:]
  /// The bundle's folders for files that name other files, by the absolute path of their common folder.
  private var folders: [String: String] = [:]

  /// Adds the file that a property of a unit names, and the files that it consists of, such as samples.
  ///
  /// - Returns: The path of the file in the bundle.
  /// - Throws: `AudioUnitError` if the unit cannot read the file.
  mutating func add(
    _ path: String, property: PropertyInfo, of component: Component
  ) throws(AudioUnitError) -> String {
    if let place = places[path] { return place }
    let unit = try AudioUnit(component, process: .host)
    try unit.setProperty(property.identifier, to: path)
    // Leave out missing files, such as samples of an instrument.
    let others = unit.filesRead.filter { $0 != path && access($0, R_OK) == 0 }
    let (folder, name) = FilePath.split(path)
    let place: String
    if others.isEmpty {
      place = free("files/\(name)")
    } else {
      // Keep the files' relative paths, by which the file names the others.
      let root = Self.commonFolder(of: [path] + others, from: folder)
      let inBundle = folders[root] ?? free("files/\(FilePath.name(of: root))")
      folders[root] = inBundle
      for other in others { sources[inBundle + other.dropFirst(root.count)] = other }
      place = inBundle + path.dropFirst(root.count)
    }
    sources[place] = path
    places[path] = place
    return place
  }

  /// Returns the deepest folder, `folder` or above, that contains all of these files; empty for the root.
  private static func commonFolder(of files: [String], from folder: String) -> String {
    var folder = folder
    while !files.allSatisfy({ $0.hasPrefix("\(folder)/") }) {
      folder = FilePath.folder(of: folder)
      if folder == "/" { return "" }
    }
    return folder
  }

  /// Returns a free path in the bundle: this path, or else the first free path with a number.
  private func free(_ place: String) -> String {
    let (folder, name) = FilePath.split(place)
    var free = place
    var number = 2
    while sources.keys.contains(where: { $0 == free || $0.hasPrefix("\(free)/") }) {
      free = "\(folder)/\(number)-\(name)"
      number += 1
    }
    return free
  }
}
