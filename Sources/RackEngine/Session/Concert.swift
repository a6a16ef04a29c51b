import Documents
import RackModel
import UnitModel

/// A set list that is played, and where it stands.
public struct Concert: Sendable {
  var list: CheckedSetList
  /// The song that plays, or that should, were its rack right.
  var position: Int

  /// Begins with the first song that can be played; nil where none can.
  public init?(_ list: CheckedSetList) {
    guard let first = list.racks.firstIndex(where: { $0 != nil }) else { return nil }
    (self.list, position) = (list, first)
  }

  /// The rack that plays first, and what the engine is to play of it.
  public func beginning(
    catalogue: any UnitDirectory
  ) -> (song: String, rack: CheckedRack, plan: Plan)? {
    rack(at: position, catalogue: catalogue).map {
      (name, $0, $0.plan.listening(for: list.list))
    }
  }

  /// What the songs are called.
  var names: [String] { list.list.songs.map(\.name.value) }

  var name: String { names[position] }

  /// A rack's file says this now.
  mutating func note(_ rack: CheckedRack) {
    let lies = FilePlace.resolve(rack.file.file)
    for (place, former) in list.racks.enumerated() {
      guard let name = former?.file.file,
        name == rack.file.file || lies != nil && FilePlace.resolve(name) == lies
      else { continue }
      list.racks[place] = rack
      list.racks[place]?.file.file = name
    }
  }

  /// The rack of a song, in the scene that the song begins with; nil where it is wrong.
  func rack(at place: Int, catalogue: any UnitDirectory) -> CheckedRack? {
    guard let rack = list.racks[place] else { return nil }
    let scene = list.list.songs[place].scene?.value
    return rack.plan.scenes.first { $0.name == scene }
      .map { rack.beginning(in: $0, catalogue: catalogue) } ?? rack
  }
}
