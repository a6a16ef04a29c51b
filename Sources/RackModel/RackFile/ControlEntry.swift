import Documents

/// A control under `controls`: what of MIDI moves what.
public struct ControlEntry: Sendable, Equatable {
  public var position: SourcePosition
  /// `keys cc 1`; nil where it is missing.
  public var source: Located<String>?
  /// `ring.frequency`, `ring.bypass` or `scene clean`; nil where it is missing.
  public var target: Located<String>?
  /// Two values as written; nil for the parameter's whole range.
  public var range: [Located<String>]?
  public var curve: Located<String>?
  public var mode: Located<String>?
  public var picksUp: Located<Bool>?
}

/// A scene under `scenes`: values that are set at once.
public struct SceneEntry: Sendable, Equatable {
  public var name: Located<String>
  /// How long it takes to get there; nil where the file does not say.
  public var time: Located<String>?
  /// By `unit.parameter` or `unit.bypass`.
  public var values: [SettingEntry] = []
}

/// A lane under `automation`: what moves, and its points as written.
public struct LaneEntry: Sendable, Equatable {
  /// `ring.frequency` or `ring.bypass`.
  public var target: Located<String>
  /// `5 kHz @ 2 s` each; one at least.
  public var points: [Located<String>] = []
  public var curve: Located<String>?
}
