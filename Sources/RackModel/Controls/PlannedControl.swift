import UnitModel

/// The target of a control or a scene.
public enum ControlTarget: Sendable, Hashable {
  /// A unit by its place in the plan.
  case parameter(unit: Int, address: UInt64)
  /// The bypass of a unit: 0 or 1.
  case bypass(unit: Int)

  package var unit: Int {
    switch self {
    case .parameter(let unit, _), .bypass(let unit): unit
    }
  }

  /// As the kernel has it: of a bypass `BL_CONTROL_BYPASS`.
  package var address: UInt64 {
    switch self {
    case .parameter(_, let address): address
    case .bypass: .max
    }
  }
}

/// How the messages of a control move its target.
public enum ControlMode: String, Sendable, CaseIterable {
  /// The position of the knob, between the range's ends.
  case absolute
  /// Each press, the other of the range's ends.
  case toggle
  /// The same, of a switch that sends high at one press and low at the next.
  case latching
  /// An endless encoder's clicks, as such encoders send them.
  case twosComplement = "twos-complement"
  case binaryOffset = "binary-offset"
  case signAndMagnitude = "sign-magnitude"
}

/// A checked control.
public struct PlannedControl: Sendable, Equatable {
  public enum Action: Sendable, Equatable {
    /// `from` and `to`: values in the target's unit at the lowest and the highest position.
    case move(ControlTarget, mode: ControlMode, from: Float, to: Float, curve: ParameterCurve)
    /// By its place among the plan's scenes.
    case recall(scene: Int)
    /// Taps the tempo.
    case tap
    /// Ends all notes.
    case panic
    case command(CalledCommand)
  }

  /// Place among the plan's MIDI inputs.
  public var port: Int
  public var source: ControlSource
  public var action: Action
  /// Whether it moves nothing until it reaches the parameter's present value.
  public var picksUp = false
  /// Whether it is a switch that sends high at one press and low at the next.
  public var latches = false
}

/// Values that are set at once.
public struct PlannedScene: Sendable, Equatable {
  public struct Value: Sendable, Equatable {
    public var target: ControlTarget
    /// In the parameter's unit and range; of a bypass 0 or 1.
    public var value: Float
  }

  public var name: String
  /// How long the change takes, seconds.
  public var time = 0.0
  /// How `time` is written.
  public static let timeInfo = ParameterInfo(
    identifier: "over", name: "Over", unit: .seconds, minimum: 0, maximum: 600, defaultValue: 0)
  public var values: [Value]
}
