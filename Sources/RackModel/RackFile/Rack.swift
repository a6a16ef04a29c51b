import Documents
import UnitModel

/// A rack in the words of a rack file: not checked against units or for consistency.
///
/// Read one from a file with `Rack.read`, or make one in Swift; `RackChecker` checks both.
public struct Rack: Sendable, Equatable {
  /// The file's name as the person gave it; errors begin with it.
  public var file: String
  /// Nil where it is missing.
  public var name: Located<String>?
  /// Beats per minute; nil for the default.
  public var tempo: Located<String>?
  public var threads = ThreadChoice.automatic
  public var processes = ProcessSettings()
  public var inputs: [Port] = []
  public var outputs: [Port] = []
  public var units: [Unit] = []
  public var connections: [Chain] = []
  public var modulations: [Modulation] = []
  public var controls: [Control] = []
  public var scenes: [Scene] = []
  /// `UNIT.PARAMETER`, `UNIT.bypass`: parameters of the rack where it is a unit.
  public var exposed: [Located<String>] = []
  public var automation: [Lane] = []
  /// Lanes of an automation file, which are not part of this file.
  public var loadedAutomation: [Lane] = []

  init(file: String) { self.file = file }

  /// A rack that no file contains.
  public init(
    _ name: String, inputs: [Port] = [], outputs: [Port] = [], units: [Unit],
    connections: [Chain], controls: [Control] = [], scenes: [Scene] = [], automation: [Lane] = []
  ) {
    file = name
    self.name = Located(name)
    (self.inputs, self.outputs, self.units) = (inputs, outputs, units)
    (self.connections, self.controls) = (connections, controls)
    (self.scenes, self.automation) = (scenes, automation)
  }

  /// The rack as the text of a rack file.
  public var text: String { tree.written }

  /// All lanes; those of another file replace the rack's own lanes for the same targets.
  var lanes: [Lane] {
    let targets = Set(loadedAutomation.map(\.target.value))
    return automation.filter { !targets.contains($0.target.value) } + loadedAutomation
  }
}

extension Rack {
  /// A port under `inputs` or `outputs`.
  public struct Port: Sendable, Equatable {
    public var name: Located<String>
    /// Nil for the default: 1 for an input, 2 for an output.
    public var channels: Located<Int>?
    public var isMIDI = false
    /// JACK ports to connect to; a list of several for each channel.
    public var connect: Located<[[String]]>?
    /// Of an audio output; nil for the default.
    public var ceiling: Located<Ceiling>?

    /// - Parameter connect: a JACK port for each channel, such as `system:capture_1`; of a port of one
    ///   channel, all that it connects to.
    public init(
      _ name: String, channels: Int? = nil, isMIDI: Bool = false, connect: [String] = [],
      ceiling: Ceiling? = nil
    ) {
      self.name = Located(name)
      self.channels = channels.map { Located($0) }
      self.isMIDI = isMIDI
      if !connect.isEmpty { self.connect = Located(connect.map { [$0] }) }
      self.ceiling = ceiling.map { Located($0) }
    }
  }

  /// A unit under `units`.
  public struct Unit: Sendable, Equatable {
    @Uncompared public var id = UnitID()
    public var name: Located<String>
    /// The component description or the unit's name; nil where it is missing.
    public var unit: Located<String>?
    public var preset: Located<String>?
    public var parameters: [Setting] = []
    public var properties: [Setting] = []
    /// Files and folders that it may read.
    public var files: [Located<String>] = []
    /// How many input busses; nil for those that the unit declares.
    public var inputs: Located<Int>?
    /// How many channels come out; nil for as many as its input has.
    public var channels: Located<Int>?
    public var isBypassed = false
    /// Whether its tail sounds on when the unit is removed or bypassed.
    public var spills = false
    /// Nil for the default.
    public var process: Located<ProcessChoice>?
    public var isPipelined: Located<Bool>?
    /// Not part of the file.
    var songValues = SongValues()

    /// - Parameters:
    ///   - unit: a component (`aufx/ring/bkln`), a unit's name, or the path of a bundle.
    ///   - parameters: values by key path, as in a rack file: `["mix": "30 %"]`.
    public init(
      _ name: String, _ unit: String, preset: String? = nil,
      parameters: KeyValuePairs<String, String> = [:],
      properties: KeyValuePairs<String, String> = [:]
    ) {
      self.init(name: Located(name))
      self.unit = Located(unit)
      self.preset = preset.map { Located($0) }
      self.parameters = parameters.map { Setting($0, $1) }
      self.properties = properties.map { Setting($0, $1) }
    }
  }

  /// A chain under `connections`: `a -> b ~> c`.
  public struct Chain: Sendable, Equatable {
    /// Two or more.
    public var endpoints: [Located<String>]
    /// One between each two endpoints.
    public var arrows: [Located<Arrow>]
  }

  /// How two endpoints of a chain are connected.
  public enum Arrow: String, Sendable {
    case forward = "->"
    /// Late by 64 frames, so that a loop can be played.
    case feedback = "~>"
  }

  /// An entry under `modulations`: a sound that moves a parameter around its knob's place.
  public struct Modulation: Sendable, Equatable {
    public var position = SourcePosition.nowhere
    /// `lfo`, `guitar`, `envelope.output` or `pair channel 2`; nil where it is missing.
    public var source: Located<String>?
    /// `filter.cutoff`; nil where it is missing.
    public var target: Located<String>?
    /// As written, percent of the parameter's travel; nil where it is missing.
    public var depth: Located<String>?
    public var curve: Located<ParameterCurve>?
    /// Whether it is late by 64 frames, so that a loop can be played.
    public var isLate: Located<Bool>?

    public init(
      from source: String, to target: String, depth: String, curve: ParameterCurve? = nil,
      isLate: Bool? = nil
    ) {
      (self.source, self.target) = (Located(source), Located(target))
      self.depth = Located(depth)
      self.curve = curve.map { Located($0) }
      self.isLate = isLate.map { Located($0) }
    }
  }

  /// A control under `controls`: a MIDI message that moves a parameter or calls a command.
  public struct Control: Sendable, Equatable {
    public var position = SourcePosition.nowhere
    /// `keys cc 1`; nil where it is missing.
    public var source: Located<String>?
    /// `ring.frequency`, `ring.bypass` or `scene clean`; nil where it is missing.
    public var target: Located<String>?
    /// Two values as written; nil for the parameter's whole range.
    public var range: [Located<String>]?
    public var curve: Located<ParameterCurve>?
    public var mode: Located<ControlMode>?
    public var picksUp: Located<Bool>?

    /// - Parameter range: the values at the lowest and at the highest position: `["5 Hz", "80 Hz"]`.
    public init(
      from source: String? = nil, to target: String, range: [String]? = nil,
      curve: ParameterCurve? = nil, mode: ControlMode? = nil, picksUp: Bool? = nil
    ) {
      self.source = source.map { Located($0) }
      self.target = Located(target)
      self.range = range?.map { Located($0) }
      self.curve = curve.map { Located($0) }
      self.mode = mode.map { Located($0) }
      self.picksUp = picksUp.map { Located($0) }
    }
  }

  /// A scene under `scenes`: values that are set at once.
  public struct Scene: Sendable, Equatable {
    public var name: Located<String>
    /// How long the change takes; nil for no time.
    public var time: Located<String>?
    /// By `unit.parameter` or `unit.bypass`.
    public var values: [Setting] = []

    public init(_ name: String, over time: String? = nil, _ values: KeyValuePairs<String, String>) {
      self.name = Located(name)
      self.time = time.map { Located($0) }
      self.values = values.map { Setting($0, $1) }
    }
  }

  /// A lane under `automation`: a parameter or a bypass, and its points as written.
  public struct Lane: Sendable, Equatable {
    /// `ring.frequency` or `ring.bypass`.
    public var target: Located<String>
    /// `5 kHz @ 2 s` each; at least one.
    public var points: [Located<String>] = []
    public var curve: Located<PlannedLane.Curve>?

    public init(_ target: String, _ points: [String], curve: PlannedLane.Curve? = nil) {
      self.target = Located(target)
      self.points = points.map { Located($0) }
      self.curve = curve.map { Located($0) }
    }
  }
}
