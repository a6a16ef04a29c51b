import AudioUnits
import Documents
import Glibc
import UnitModel

/// The files in an LV2 bundle that its units read.
struct BundleFiles {
  /// Where each file of a property lies in the bundle, by its path from the root.
  private(set) var places: [String: String] = [:]
  /// Every file's path from the root, by its place in the bundle.
  private(set) var sources: [String: String] = [:]
  /// The bundle's folders for files that name others, by the folder from the root that holds them all.
  private var folders: [String: String] = [:]

  /// Adds the file that a property of a unit names, and the files that it consists of, such as samples.
  ///
  /// - Returns: its place in the bundle.
  /// - Throws: `AudioUnitError` where the unit cannot read it.
  mutating func add(
    _ path: String, property: PropertyInfo, of component: Component
  ) throws(AudioUnitError) -> String {
    if let place = places[path] { return place }
    let unit = try AudioUnit(component, process: .host)
    try unit.setProperty(property.identifier, to: path)
    // Without those that an instrument lacks.
    let others = unit.filesRead.filter { $0 != path && access($0, R_OK) == 0 }
    let (folder, name) = FilePlace.split(path)
    let place: String
    if others.isEmpty {
      place = free("files/\(name)")
    } else {
      // Beside each other as they lie now, since the file names the others by their paths from it.
      let root = Self.commonFolder(of: [path] + others, from: folder)
      let inBundle = folders[root] ?? free("files/\(FilePlace.split(root).name)")
      folders[root] = inBundle
      for other in others { sources[inBundle + other.dropFirst(root.count)] = other }
      place = inBundle + path.dropFirst(root.count)
    }
    sources[place] = path
    places[path] = place
    return place
  }

  /// The folder nearest to the root's far end that all of these files are in or below.
  private static func commonFolder(of files: [String], from folder: String) -> String {
    var folder = folder
    while !files.allSatisfy({ $0.hasPrefix("\(folder)/") }) {
      folder = FilePlace.split(folder).folder
      if folder == "/" { return "" }
    }
    return folder
  }

  /// The place, or the first like it with a number that nothing is at.
  private func free(_ place: String) -> String {
    let (folder, name) = FilePlace.split(place)
    var free = place
    var number = 2
    while sources.keys.contains(where: { $0 == free || $0.hasPrefix("\(free)/") }) {
      free = "\(folder)/\(number)-\(name)"
      number += 1
    }
    return free
  }
}
