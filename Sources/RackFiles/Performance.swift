import AudioUnits
import Documents
import RackModel
import RackSession

/// A rack or a set list, as `backline run` plays it.
package enum Performance: Sendable {
  /// `automation`: the path of the file with additional lanes.
  case rack(CheckedRack, automation: String? = nil)
  case setList(CheckedSetList)

  /// Reads the rack or set list of a name, or a set list of several racks; also returns errors and warnings.
  ///
  /// - Parameter path: the file that the name stood for when it was first read: while that file is missing
  ///   for a moment, the name could stand for another.
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
        names[0], at: path, catalogue: catalogue, mayMiss: true, playsLive: true,
        setLists: SetListLoader.shippedNames),
      catalogue: catalogue)
    return (
      rack.map { .rack($0, automation: automation) },
      diagnostics + (rack.map(songControls) ?? [])
    )
  }

  /// Returns warnings about a rack's controls that need a set list.
  private static func songControls(_ rack: CheckedRack) -> [Diagnostic] {
    rack.file.controls.compactMap(\.target).compactMap { target in
      guard let call = CalledCommand(written: target.value, in: Commands.targets),
        Commands.needsSetList(call)
      else { return nil }
      return Diagnostic(
        severity: .warning, file: rack.file.file, position: target.position,
        message: "“\(target.value)” needs a set list; in a rack alone it does nothing")
    }
  }

  package var isSetList: Bool { rack == nil }

  package var rack: CheckedRack? { if case .rack(let rack, _) = self { rack } else { nil } }

  /// The paths of the racks that have no errors.
  package var rackFiles: [String] {
    switch self {
    case .rack(let rack, _): [rack.file.file]
    case .setList(let list): list.racks.compactMap { $0?.file.file }
    }
  }

  /// The paths of all files of the rack or set list.
  package var files: [String] {
    switch self {
    case .rack(let rack, let automation): [rack.file.file] + [automation].compactMap(\.self)
    case .setList(let list): list.paths + [list.list.file].filter(WholeFile.isThere)
    }
  }

  /// Returns the rack to start with, its plan for the engine, and the player of a set list.
  ///
  /// - Parameter index: the index of the first song of a set list to try.
  /// - Throws: `Refusal` if no rack of a set list can be played.
  package func opening(
    from index: Int = 0
  ) throws(Refusal) -> (rack: CheckedRack, plan: Plan, player: SetListPlayer?) {
    switch self {
    case .rack(let rack, _): return (rack, rack.plan, nil)
    case .setList(let list):
      guard let player = SetListPlayer(list, from: index),
        let beginning = player.opening
      else { throw Refusal("the set list has no rack that can be played") }
      return (beginning.rack, beginning.plan, player)
    }
  }
}
