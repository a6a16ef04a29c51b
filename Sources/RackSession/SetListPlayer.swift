import Documents
import RackEngine
import RackModel
import UnitModel

/// A set list and the song that plays.
public struct SetListPlayer: Sendable {
  var list: CheckedSetList
  /// The index of the song that was requested last, which plays unless its rack has errors.
  var position: Int
  /// The index of the song that plays; nil if the list no longer contains that song.
  var played: Int?
  /// Whether the song at `position` could not be played.
  var isRefused = false

  /// Creates a player that starts with the first playable song from `index` on; nil if there is none.
  public init?(_ list: CheckedSetList, from index: Int = 0) {
    guard let first = list.racks.indices.first(where: { $0 >= index && list.racks[$0] != nil })
    else { return nil }
    (self.list, position, played) = (list, first, first)
  }

  /// The index after that of the song that was requested last.
  package var nextPlace: Int { position + 1 }

  /// The song to start with, its rack, and the plan for the engine.
  public var opening: (song: String, rack: CheckedRack, plan: Plan)? {
    rack(at: position).map {
      (name, $0, $0.plan.listening(for: list.list))
    }
  }

  /// The names of the songs.
  var names: [String] { list.list.songs.map(\.name.value) }

  /// The name of the song that was requested last.
  package var name: String { names[position] }

  /// The name of the set list.
  package var title: String { list.list.name.value }

  /// Returns the name of the song that plays if this is its rack; nil otherwise.
  func song(of rack: CheckedRack) -> String? {
    guard let played, list.racks[played]?.file.file == rack.file.file else { return nil }
    return names[played]
  }

  /// The rack of the song that plays, in its scene.
  var present: CheckedRack? { played.flatMap(rack) }

  /// The scene in which the song at `position` starts; nil if the song names none.
  var sceneName: String? { list.list.songs[position].scene?.value }

  /// The name of the song at `position` if that could not be played; nil otherwise.
  var refusedSong: String? { isRefused ? name : nil }

  /// Records the index of the song that plays.
  mutating func setPlaying(_ index: Int) { (position, played, isRefused) = (index, index, false) }

  /// Replaces the list; returns the index in the new list of the song that plays, nil if the list lacks that song.
  mutating func follow(_ new: CheckedSetList) -> Int? {
    let (former, song) = (name, played.map { names[$0] })
    list = new
    played = song.flatMap(new.index)
    isRefused = isRefused && new.index(of: former) != nil
    position = new.index(of: former) ?? min(position, new.list.songs.count - 1)
    return played
  }

  /// Records the new contents of a rack's file for all songs that play this file.
  mutating func update(_ rack: CheckedRack) {
    let lies = FilePath.resolve(rack.file.file)
    for (index, former) in list.racks.enumerated() {
      guard let name = former?.file.file,
        name == rack.file.file || lies != nil && FilePath.resolve(name) == lies
      else { continue }
      list.racks[index] = rack
      list.racks[index]?.file.file = name
    }
  }

  /// Returns the rack of a song in the scene in which the song starts; nil if the rack has errors.
  func rack(at index: Int) -> CheckedRack? {
    guard let rack = list.racks[index] else { return nil }
    let scene = list.list.songs[index].scene?.value
    return rack.plan.scenes.first { $0.name == scene }
      .map { rack.starting(in: $0) } ?? rack
  }
}
