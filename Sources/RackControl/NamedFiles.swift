import RackModel
import UnitModel

/// Which requests name files to read, to write or to run: every way in which a peer can reach the machine's
/// files by their paths is here.
extension Request {
  /// Whether the text of the request names a file; whether the property that a `set` reaches is one, the
  /// session knows.
  var namesFile: Bool {
    switch self {
    case .command(let command): command.namesFile
    case .startRecording(let recording): !recording.path.isEmpty
    case .startMoves: true
    case .stopMoves(let file): file != nil
    case .get, .list, .catalogue, .picture, .layout, .log, .status, .metrics, .tempo, .tap, .play,
      .stop, .locate, .panic, .touch, .release, .midi, .express, .savePreset, .deletePreset,
      .restart,
      .stopRecording, .subscribe, .watch, .message, .unsubscribe, .guest:
      false
    }
  }
}

extension Command {
  fileprivate var namesFile: Bool {
    switch self {
    case .edit(let edit): edit.namesFile
    case .load(let rack): rack.contains { "/.".contains($0) }
    case .automation: true
    case .save(let request): request.path != nil
    case .set, .ramp, .reset, .setAll, .scene, .storeScene, .learn, .reload, .song, .next,
      .previous,
      .file, .undo, .redo:
      false
    }
  }
}

extension RackEdit {
  fileprivate var namesFile: Bool {
    switch self {
    case .add(_, let unit, _, _, _), .replace(_, let unit): UnitReference(unit).path != nil
    case .setProperty: true
    case .remove, .rename, .connect, .disconnect, .loadPreset, .modulate, .endModulation, .map,
      .forget, .renameScene, .removeScene:
      false
    }
  }
}
