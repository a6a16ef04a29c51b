import AudioUnits
import Documents
import RackModel

/// What “backline run” is told to play: a rack, or a set list.
package enum Performance: Sendable {
  /// `automation`: the file that it has lanes from.
  case rack(CheckedRack, automation: String? = nil)
  case setList(CheckedSetList)

  /// Reads what names on the command line stand for: one of a rack or of a set list, or several of
  /// racks. They were located once: were a file gone for a moment, its name could stand for another.
  package static func read(
    _ names: [String], at path: String, isSetList: Bool, automation: String? = nil,
    catalogue: ComponentCatalogue
  ) -> (performance: Performance?, diagnostics: [Diagnostic]) {
    if isSetList || names.count > 1 {
      let (list, diagnostics) =
        isSetList
        ? SetListLoader.load(path, catalogue: catalogue, mayMiss: true)
        : SetListLoader.load(racks: names, catalogue: catalogue, mayMiss: true)
      return (list.map { .setList($0) }, diagnostics)
    }
    let (rack, diagnostics) = RackLoader.adding(
      automation,
      to: RackLoader.load(
        names[0], at: path, catalogue: catalogue, mayMiss: true,
        setLists: SetListLoader.shippedNames),
      catalogue: catalogue)
    return (rack.map { .rack($0, automation: automation) }, diagnostics)
  }

  package var isSetList: Bool { if case .setList = self { true } else { false } }

  /// The files of its racks.
  package var racks: [String] {
    switch self {
    case .rack(let rack, _): [rack.file.file]
    case .setList(let list): list.paths
    }
  }

  /// Those of the racks that are right.
  package var racksRead: [String] {
    switch self {
    case .rack(let rack, _): [rack.file.file]
    case .setList(let list): list.racks.compactMap { $0?.file.file }
    }
  }

  /// All files that it is made of.
  package var files: [String] {
    switch self {
    case .rack(_, let automation): racks + [automation].compactMap(\.self)
    case .setList(let list): racks + [list.list.file].filter(WholeFile.isThere)
    }
  }
}
