import Documents
import RackEngine
import RackModel
import UnitModel

/// A set list that is played, and where it stands.
public struct Concert: Sendable {
  var list: CheckedSetList
  /// Where the show has come to: the song that plays, or that should, were its rack right.
  var position: Int
  /// The song that was played last; nil where the list has it no more.
  var played: Int?
  /// Could the song at `position` not be played?
  var isRefused = false

  /// Begins with the first song that can be played; nil where none can.
  public init?(_ list: CheckedSetList) {
    guard let first = list.racks.firstIndex(where: { $0 != nil }) else { return nil }
    (self.list, position, played) = (list, first, first)
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

  /// The song that plays, while this rack does; nil where the rack is none of its own.
  func song(of rack: CheckedRack) -> String? {
    guard let played, list.racks[played]?.file.file == rack.file.file else { return nil }
    return names[played]
  }

  /// The rack of the song that plays, in its scene.
  func present(catalogue: any UnitDirectory) -> CheckedRack? {
    played.flatMap { rack(at: $0, catalogue: catalogue) }
  }

  /// The song that was called for last and could not be played.
  var refusedSong: String? { isRefused ? name : nil }

  /// A song plays.
  mutating func stand(at place: Int) { (position, played, isRefused) = (place, place, false) }

  /// Goes on with another list; answers where the song that plays is in it.
  mutating func follow(_ new: CheckedSetList) -> Int? {
    let (former, song) = (name, played.map { names[$0] })
    list = new
    played = song.flatMap(new.place)
    isRefused = isRefused && new.place(of: former) != nil
    position = new.place(of: former) ?? min(position, new.list.songs.count - 1)
    return played
  }

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
