import RackModel

/// A set list, for eyes.
enum SetListDescription {
  static func text(_ checked: CheckedSetList) -> String {
    let list = checked.list
    let width = list.songs.map(\.name.value.count).max() ?? 0
    let songs = list.songs.indices.map { place in
      let song = list.songs[place]
      let name = song.name.value
      let rack = checked.racks[place]?.plan.name ?? "\(song.rack.value), which cannot be played"
      let scene = song.scene.map { ", scene \($0.value)" } ?? ""
      let program = song.program.map { "   \(list.programs.name) \($0)" } ?? ""
      return "\(place + 1)  \(name)\(String(repeating: " ", count: width - name.count))"
        + "  \(rack)\(scene)\(program)"
    }
    return ([list.name.value, ""] + songs).joined(separator: "\n")
  }
}
