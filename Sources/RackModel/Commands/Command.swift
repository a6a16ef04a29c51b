import Documents

/// A change of a rack while it plays: from the command line, OSC, MIDI or a page.
public enum Command: Sendable, Equatable {
  /// A parameter or a bypass, to a value as people write it: `echo.mix` to `30 %`.
  case set(parameter: String, value: String)
  /// The same, but on the way for a time: `2 s`, `500 ms`.
  case ramp(parameter: String, value: String, over: String)
  /// A parameter or a bypass, to its default.
  case reset(parameter: String)
  /// Several parameters and bypasses, to values as people write them.
  case setAll([Setting])
  /// A scene of the rack, by its name.
  case scene(String)
  /// The present values, as a scene of this name that takes the time `over`.
  case storeScene(name: String, over: String?)
  case edit(RackEdit)
  /// A control whose source is the next MIDI control that is moved; nil cancels the learning.
  case learn(Rack.Control?)
  /// Another rack: a path or a rack's name.
  case load(rack: String)
  /// The file of the rack that plays, as it is now.
  case reload
  /// A song of the set list, by its name or its number.
  case song(String)
  case next
  case previous
  /// The next or the previous file in the folder of a unit's file: of `amp`, or of its property `cab.b`.
  case file(of: String, isNext: Bool)
  /// Lanes from a file, in the place of those of the same parameters.
  case automation(file: String)
  case undo
  case redo
  /// The rack into its file.
  case save(SaveRequest)
}

/// How to save a rack that plays.
public struct SaveRequest: Sendable, Equatable {
  /// From the root, for a copy; nil for the rack's own file.
  public var path: String?
  /// Also where the file has been changed since it was read, or the copy is there already.
  public var isForced: Bool
  /// Writes the present JACK connections of the ports as their `connect`.
  public var keepsConnections: Bool

  public init(path: String? = nil, isForced: Bool = false, keepsConnections: Bool = false) {
    (self.path, self.isForced, self.keepsConnections) = (path, isForced, keepsConnections)
  }
}

extension Command: CustomStringConvertible {
  /// `set echo.mix to 30 %`
  public var description: String {
    switch self {
    case .set(let parameter, let value): "set \(parameter) to \(value)"
    case .ramp(let parameter, let value, let over): "ramp \(parameter) to \(value) over \(over)"
    case .reset(let parameter): "reset \(parameter)"
    case .setAll(let settings):
      "set " + settings.map { "\($0.key.value) to \($0.value.value)" }.joined(separator: ", ")
    case .scene(let name): "scene \(name)"
    case .storeScene(let name, _): "store scene \(name)"
    case .edit(let edit): edit.description
    case .learn(let control): "learn" + (control?.target.map { " \($0.value)" } ?? "")
    case .load(let rack): "load \(rack)"
    case .reload: "reload"
    case .song(let name): "song \(name)"
    case .next: "next"
    case .previous: "previous"
    case .file(let target, let isNext): "\(ControlCommand.file(of: target, isNext: isNext))"
    case .automation(let file): "automation from \(file)"
    case .undo: "undo"
    case .redo: "redo"
    case .save(let request): "save" + (request.path.map { " \($0)" } ?? "")
    }
  }
}

extension RackEdit: CustomStringConvertible {
  public var description: String {
    switch self {
    case .add(let name, let unit, _, _, let cable):
      "add \(name), \(unit)" + (cable.map { ", into \($0)" } ?? "")
    case .remove(let name): "remove \(name)"
    case .replace(let name, let unit): "replace \(name) by \(unit)"
    case .rename(let name, let to): "rename \(name) to \(to)"
    case .connect(let chain): "connect \(chain)"
    case .disconnect(let chain): "disconnect \(chain)"
    case .loadPreset(let name, let preset): "load preset \(preset) into \(name)"
    case .setProperty(let name, let property, let value): "set \(name).\(property) to \(value)"
    case .modulate(let modulation):
      "modulate \(modulation.target?.value ?? "") by \(modulation.source?.value ?? "")"
    case .endModulation(let target, let source):
      "end the modulation of \(target)" + (source.map { " by \($0)" } ?? "")
    case .map(let control): "map \(control.source?.value ?? "") to \(control.target?.value ?? "")"
    case .forget(let target, let source):
      "forget " + (source.map { "\($0) to \(target)" } ?? target)
    case .renameScene(let name, let to): "rename scene \(name) to \(to)"
    case .removeScene(let name): "remove scene \(name)"
    }
  }
}
