import UnitModel

/// A rack that has been checked whole: every name resolved to a number, every channel count resolved. The engine makes
/// a graph of it.
public struct Plan: Sendable, Equatable {
  /// The rack's name, which becomes that of the JACK client.
  public var name: String
  /// Beats per minute where JACK's transport has no tempo.
  public var tempo: Double
  public var threads = ThreadChoice.automatic
  /// For units in processes of their own.
  public var processes: ProcessSettings
  /// Audio inputs; cables name them by place.
  public var inputs: [Port]
  /// Audio outputs; cables name them by place.
  public var outputs: [Port]
  /// MIDI inputs; MIDI cables name them by place.
  public var midiInputs: [Port]
  /// MIDI outputs; MIDI cables name them by place.
  public var midiOutputs: [Port]
  /// In the order of the file; cables name them by place.
  public var units: [PlannedUnit]
  public var cables: [Cable]
  public var midiCables: [MIDICable]
  public var modulations: [PlannedModulation] = []
  /// The MIDI controls.
  public var controls: [PlannedControl]
  /// In the order of the file; controls name them by place.
  public var scenes: [PlannedScene]
  /// The songs of the rack's set list and the MIDI programs that choose them.
  package var songCalls: [SongCall] = []
  /// Parameters of the rack where it is a unit, as the file names them.
  public var exposed: [ControlTarget] = []
  /// The lanes that follow the transport.
  public var automation: [PlannedLane]
  /// Units that the rack asks for and that are not there, so that it is planned without them.
  public var missing: [MissingUnit] = []

  /// Whether sound comes back, 64 frames later.
  public var hasFeedback: Bool {
    cables.contains(where: \.isFeedback) || modulations.contains(where: \.isLate)
  }

  /// The parameters of the rack where it is a unit or a plug-in: those that the file names, in its order,
  /// and then those that controls and scenes set, by unit.
  package var parameters: [ControlTarget] {
    var others: Set<ControlTarget> = []
    for control in controls {
      if case .move(let target, _, _, _, _) = control.action { others.insert(target) }
    }
    for scene in scenes { others.formUnion(scene.values.map(\.target)) }
    return exposed
      + others.subtracting(exposed).sorted { ($0.unit, $0.address) < ($1.unit, $1.address) }
  }

  /// Beats per minute in a rack that does not say.
  public static let usualTempo = 120.0
}
