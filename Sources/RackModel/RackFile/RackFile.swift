import Documents

/// A rack file as written: well formed, but not checked against units or for consistency.
public struct RackFile: Sendable, Equatable {
  /// The file's name as the person gave it.
  public var file: String
  /// Nil where it is missing.
  public var name: Located<String>?
  /// Beats per minute; nil where the file does not say.
  public var tempo: Located<String>?
  public var processes = ProcessesEntry()
  public var inputs: [PortEntry] = []
  public var outputs: [PortEntry] = []
  public var units: [UnitEntry] = []
  public var connections: [ConnectionEntry] = []
  public var controls: [ControlEntry] = []
  public var scenes: [SceneEntry] = []
  public var automation: [LaneEntry] = []
  /// Lanes of an automation file, which are not part of this file.
  public var loadedAutomation: [LaneEntry] = []
}

extension RackFile {
  /// All lanes; those of another file replace the rack's own lanes for the same targets.
  var lanes: [LaneEntry] {
    let targets = Set(loadedAutomation.map(\.target.value))
    return automation.filter { !targets.contains($0.target.value) } + loadedAutomation
  }
}

/// The settings under `processes`; nil where the file has none.
public struct ProcessesEntry: Sendable, Equatable {
  public var timeout: Located<String>?
  public var processor: Located<String>?
  public var restarts: Located<Int>?
}

/// A port under `inputs` or `outputs`.
public struct PortEntry: Sendable, Equatable {
  public var name: Located<String>
  public var channels: Located<Int>?
  public var isMIDI = false
  /// JACK ports to connect to; a list of several for each entry.
  public var connect: Located<[[String]]>?
}

/// A unit under `units`.
public struct UnitEntry: Sendable, Equatable {
  public var name: Located<String>
  /// The component description or the unit's name; nil where it is missing.
  public var unit: Located<String>?
  public var preset: Located<String>?
  public var parameters: [SettingEntry] = []
  public var properties: [SettingEntry] = []
  /// How many input busses.
  public var inputs: Located<Int>?
  /// How many channels come out.
  public var channels: Located<Int>?
  public var isBypassed = false
  /// Whether its tail goes on sounding when the unit is removed or bypassed.
  public var spills = false
  /// Nil for the default.
  public var process: Located<String>?
  public var isPipelined: Located<Bool>?
  /// Values that a song set and the file does not have; not part of the file.
  public var songOverrides = SongOverrides()
}

/// A chain under `connections`: `a -> b ~> c`.
public struct ConnectionEntry: Sendable, Equatable {
  /// Two or more.
  public var endpoints: [Located<String>]
  /// One between each two endpoints.
  public var arrows: [Located<Arrow>]
}

/// How two endpoints of a chain are connected.
public enum Arrow: String, Sendable {
  case forward = "->"
  /// Carries the previous cycle, so that a loop can be played.
  case feedback = "~>"
}
