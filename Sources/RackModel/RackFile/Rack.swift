import Documents
import UnitModel

/// A rack as a rack file describes it, not checked against units or for consistency.
///
/// Read a rack from a file with `Rack.read`, or create it in Swift; `RackChecker` checks both.
public struct Rack: Sendable, Equatable {
  /// The file's name as the person gave it; errors begin with it.
  public var file: String
  /// The rack's name; nil where it is missing.
  public var name: Located<String>?
  /// The tempo in beats per minute, as written; nil for the default.
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
  /// The parameters of the rack where it is a unit: `UNIT.PARAMETER` or `UNIT.bypass`.
  public var exposed: [Located<String>] = []
  public var automation: [Lane] = []
  /// The lanes of an automation file, which are not part of this file.
  public var loadedAutomation: [Lane] = []

  init(file: String) { self.file = file }

  /// Creates a rack without a file.
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

  /// All lanes. Lanes of an automation file replace the rack's own lanes of the same targets.
  var lanes: [Lane] {
    let targets = Set(loadedAutomation.map(\.target.value))
    return automation.filter { !targets.contains($0.target.value) } + loadedAutomation
  }
}

extension Rack {
  /// A port under `inputs` or `outputs`.
  public struct Port: Sendable, Equatable {
    public var name: Located<String>
    /// The number of channels, 1 to 32; nil for the default, 1 for an input and 2 for an output.
    public var channels: Located<Int>?
    public var isMIDI = false
    /// The JACK ports to connect to: a list for each channel. A port of one channel connects to those of
    /// all lists.
    public var connect: Located<[[String]]>?
    /// The ceiling of an audio output; nil for the default.
    public var ceiling: Located<Ceiling>?

    /// - Parameter connect: a JACK port for each channel, such as `system:capture_1`; for a port of one
    ///   channel, all ports that it connects to.
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
    /// The component or the unit's name; nil where it is missing.
    public var unit: Located<String>?
    public var preset: Located<String>?
    public var parameters: [Setting] = []
    public var properties: [Setting] = []
    /// The files and folders that the unit may read.
    public var files: [Located<String>] = []
    /// The number of input busses; nil for those that the unit declares.
    public var inputs: Located<Int>?
    /// The number of output channels; nil for as many as the input has.
    public var channels: Located<Int>?
    public var isBypassed = false
    /// Whether the unit's tail sounds on when the unit is removed or bypassed.
    public var spills = false
    /// The process in which the unit renders; nil for the default.
    public var process: Located<ProcessChoice>?
    public var isPipelined: Located<Bool>?
    /// The values that a song has set, which are not part of the file.
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
    /// The names of ports and units, at least two.
    public var endpoints: [Located<String>]
    /// The arrows, one between each two endpoints.
    public var arrows: [Located<Arrow>]
  }

  /// How two endpoints of a chain are connected.
  public enum Arrow: String, Sendable {
    case forward = "->"
    /// A feedback arrow: the signal is 64 frames late, so that a loop can be played.
    case feedback = "~>"
  }

  /// An entry under `modulations`: an audio signal that moves a parameter around its set value.
  public struct Modulation: Sendable, Equatable {
    public var position = SourcePosition.nowhere
    /// The source: `lfo`, `guitar`, `envelope.output` or `pair channel 2`; nil where it is missing.
    public var source: Located<String>?
    /// The target: `filter.cutoff`; nil where it is missing.
    public var target: Located<String>?
    /// The depth as written, percent of the parameter's travel; nil where it is missing.
    public var depth: Located<String>?
    public var curve: Located<ParameterCurve>?
    /// Whether the modulation is 64 frames late, so that a loop can be played.
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
    /// The source: `keys cc 1`; nil where it is missing.
    public var source: Located<String>?
    /// The target: `ring.frequency`, `ring.bypass`, `scene clean` or a command; nil where it is missing.
    public var target: Located<String>?
    /// The values at both ends as written; nil for the parameter's whole range.
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
    /// The time of the change as written; nil for an immediate change.
    public var time: Located<String>?
    /// The values by `unit.parameter` or `unit.bypass`.
    public var values: [Setting] = []

    public init(_ name: String, over time: String? = nil, _ values: KeyValuePairs<String, String>) {
      self.name = Located(name)
      self.time = time.map { Located($0) }
      self.values = values.map { Setting($0, $1) }
    }
  }

  /// A lane under `automation`: a parameter or a bypass, and its points as written.
  public struct Lane: Sendable, Equatable {
    /// The target: `ring.frequency` or `ring.bypass`.
    public var target: Located<String>
    /// The points as written, `5 kHz @ 2 s`; at least one.
    public var points: [Located<String>] = []
    public var curve: Located<PlannedLane.Curve>?

    public init(_ target: String, _ points: [String], curve: PlannedLane.Curve? = nil) {
      self.target = Located(target)
      self.points = points.map { Located($0) }
      self.curve = curve.map { Located($0) }
    }
  }
}
