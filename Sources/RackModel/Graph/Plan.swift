import UnitModel

/// A checked rack: every name is resolved to an index, and every channel count to a number. The engine
/// builds a graph from the plan.
public struct Plan: Sendable, Equatable {
  /// The rack's name, and the name of the JACK client.
  public var name: String
  /// Beats per minute where JACK's transport has no tempo.
  public var tempo: Double
  public var threads = ThreadChoice.automatic
  /// The settings of units in processes of their own.
  public var processes: ProcessSettings
  /// The audio inputs; cables refer to them by index.
  public var inputs: [Port]
  /// The audio outputs; cables refer to them by index.
  public var outputs: [Port]
  /// The MIDI inputs; MIDI cables refer to them by index.
  public var midiInputs: [Port]
  /// The MIDI outputs; MIDI cables refer to them by index.
  public var midiOutputs: [Port]
  /// The units in the order of the file; cables refer to them by index.
  public var units: [PlannedUnit]
  public var cables: [Cable]
  public var midiCables: [MIDICable]
  public var modulations: [PlannedModulation] = []
  /// The MIDI controls.
  public var controls: [PlannedControl]
  /// The scenes in the order of the file; controls refer to them by index.
  public var scenes: [PlannedScene]
  /// The songs of the rack's set list and the MIDI programs that choose them.
  package var songCalls: [SongCall] = []
  /// The parameters that the file exposes where the rack is a unit.
  public var exposed: [ControlTarget] = []
  /// The lanes that follow the transport.
  public var automation: [PlannedLane]
  /// The units that were not found; the plan leaves them out.
  public var missing: [MissingUnit] = []

  /// Whether a cable or a modulation feeds back, 64 frames late.
  public var hasFeedback: Bool {
    cables.contains(where: \.isFeedback) || modulations.contains(where: \.isLate)
  }

  /// The parameters of the rack where it is a unit or a plug-in: first those that the file exposes, in its
  /// order, and then those that controls and scenes set, by unit and address.
  package var parameters: [ControlTarget] {
    var others: Set<ControlTarget> = []
    for control in controls {
      if case .move(let target, _, _, _, _) = control.action { others.insert(target) }
    }
    for scene in scenes { others.formUnion(scene.values.map(\.target)) }
    return exposed
      + others.subtracting(exposed).sorted { ($0.unit, $0.address) < ($1.unit, $1.address) }
  }

  /// The tempo of a rack whose file has none, beats per minute.
  public static let defaultTempo = 120.0
}
