import RackModel

/// The state of a session besides its rack: the steps to undo and redo, unsaved changes, the scene and the song.
public struct SessionState: RackEvent, Equatable {
  public static let name = "state"
  /// The title of the step that `undo` undoes: `echo: Mix 30 %`; nil if there is none.
  public var undo: String?
  /// The title of the step that `redo` redoes; nil if there is none.
  public var redo: String?
  /// Whether nothing has changed since the rack was read or saved.
  public var isSaved: Bool
  /// The scene that was recalled or stored last; nil without one.
  public var scene: String?
  /// Whether a value, unless it ramps, differs from the scene's value.
  public var isSceneChanged: Bool
  /// The song that plays; nil without one.
  public var song: String?
  /// The song that `next` plays; nil after the last song.
  public var nextSong: String?
  /// Whether the units of the next song are created.
  public var isNextSongReady: Bool
}

extension RackSession {
  public var state: SessionState {
    let next = setListPlayer.flatMap { player in
      player.names.indices.contains(player.position + 1) ? player.names[player.position + 1] : nil
    }
    let scene = rack.plan.scenes.first { $0.name == sceneStart.name }
    return SessionState(
      undo: history.last?.title, redo: history.next?.title, isSaved: revision == savedRevision,
      scene: scene?.name, isSceneChanged: scene.map(hasChanged) ?? false,
      song: setListPlayer?.song(of: rack), nextSong: next,
      isNextSongReady: next != nil && nextSong.readyName == next)
  }

  private func hasChanged(_ scene: PlannedScene) -> Bool {
    scene.values.contains { value in
      guard let path = path(of: value.target), let found = try? find(path), found.info.isStored
      else { return false }
      return ramps[path] == nil && found.value != found.info.nearest(to: value.value)
    }
  }
}
