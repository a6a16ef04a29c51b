import Documents
import RackEngine
import RackModel
import UnitModel

/// A set list and the song that plays.
public struct SetListPlayer: Sendable {
  var list: CheckedSetList
  /// The song that was called for last: it plays, unless its rack is wrong.
  var position: Int
  /// The song that plays; nil if the list no longer has it.
  var played: Int?
  /// Whether the song at `position` could not be played.
  var isRefused = false

  /// Starts with the first song that can be played, from `place` on; nil if none can.
  public init?(_ list: CheckedSetList, from place: Int = 0) {
    guard let first = list.racks.indices.first(where: { $0 >= place && list.racks[$0] != nil })
    else { return nil }
    (self.list, position, played) = (list, first, first)
  }

  /// The place after that of the song that plays first.
  package var nextPlace: Int { position + 1 }

  /// The first song, its rack, and the plan for the engine.
  public var opening: (song: String, rack: CheckedRack, plan: Plan)? {
    rack(at: position).map {
      (name, $0, $0.plan.listening(for: list.list))
    }
  }

  /// The names of the songs.
  var names: [String] { list.list.songs.map(\.name.value) }

  /// The name of the song that was called for last.
  package var name: String { names[position] }

  /// The name of the set list.
  package var title: String { list.list.name.value }

  /// The name of the song that plays if this is its rack; nil otherwise.
  func song(of rack: CheckedRack) -> String? {
    guard let played, list.racks[played]?.file.file == rack.file.file else { return nil }
    return names[played]
  }

  /// The rack of the song that plays, in its scene.
  var present: CheckedRack? { played.flatMap(rack) }

  /// The scene that the song starts with.
  var sceneName: String? { list.list.songs[position].scene?.value }

  /// The name of the song that was called for last and could not be played.
  var refusedSong: String? { isRefused ? name : nil }

  /// Notes that a song plays.
  mutating func notePlaying(_ place: Int) { (position, played, isRefused) = (place, place, false) }

  /// Replaces the list; returns the place of the song that plays in the new list.
  mutating func follow(_ new: CheckedSetList) -> Int? {
    let (former, song) = (name, played.map { names[$0] })
    list = new
    played = song.flatMap(new.place)
    isRefused = isRefused && new.place(of: former) != nil
    position = new.place(of: former) ?? min(position, new.list.songs.count - 1)
    return played
  }

  /// Notes that the file of a rack has changed to this rack.
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

  /// The rack of a song in the scene that the song starts with; nil if the rack is wrong.
  func rack(at place: Int) -> CheckedRack? {
    guard let rack = list.racks[place] else { return nil }
    let scene = list.list.songs[place].scene?.value
    return rack.plan.scenes.first { $0.name == scene }
      .map { rack.starting(in: $0) } ?? rack
  }
}
