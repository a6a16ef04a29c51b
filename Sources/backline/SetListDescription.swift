import RackModel

/// A set list as text.
enum SetListDescription {
  static func text(_ checked: CheckedSetList) -> String {
    let list = checked.list
    let songs = list.songs.indices.map { index in
      let song = list.songs[index]
      let rack = checked.racks[index]?.plan.name ?? "\(song.rack.value), which cannot be played"
      return [
        "\(index + 1)", song.name.value, rack + (song.scene.map { ", scene \($0.value)" } ?? ""),
        song.program.map { "\(list.programs.name) \($0)" } ?? "",
      ]
    }
    return ([list.name.value, ""] + Table.lines(songs)).joined(separator: "\n")
  }
}
