import UnitModel

/// The parameter or bypass that a control, a scene or a lane sets.
public enum ControlTarget: Sendable, Hashable {
  /// A parameter, by the unit's index in the plan.
  case parameter(unit: Int, address: UInt64)
  /// The bypass of a unit, 0 or 1, by the unit's index in the plan.
  case bypass(unit: Int)

  package var unit: Int {
    switch self {
    case .parameter(let unit, _), .bypass(let unit): unit
    }
  }

  /// The address for the kernel; `BL_CONTROL_BYPASS` for a bypass.
  package var address: UInt64 {
    switch self {
    case .parameter(_, let address): address
    case .bypass: .max
    }
  }

  init(unit: Int, address: UInt64) {
    self = address == .max ? .bypass(unit: unit) : .parameter(unit: unit, address: address)
  }
}

/// How the messages of a control move its target.
public enum ControlMode: String, Sendable, CaseIterable {
  /// The position of the knob, mapped to the range.
  case absolute
  /// Each press switches to the other end of the range.
  case toggle
  /// The same as `toggle`, for a switch that sends high at one press and low at the next.
  case latching
  /// The clicks of an endless encoder, in two's complement.
  case twosComplement = "twos-complement"
  case binaryOffset = "binary-offset"
  case signAndMagnitude = "sign-magnitude"
}

/// A checked control.
public struct PlannedControl: Sendable, Equatable {
  public enum Action: Sendable, Equatable {
    /// Moves the target. `from` and `to`: the values at the lowest and the highest position, in the
    /// target's unit.
    case move(ControlTarget, mode: ControlMode, from: Float, to: Float, curve: ParameterCurve)
    /// Recalls a scene, by its index in the plan.
    case recall(scene: Int)
    /// Taps the tempo.
    case tap
    /// Ends all notes.
    case panic
    case command(CalledCommand)
  }

  /// The index of the MIDI input in the plan.
  public var port: Int
  public var source: ControlSource
  public var action: Action
  /// Whether the control waits until it reaches the parameter's present value.
  public var picksUp = false
  /// Whether the control is a switch that sends high at one press and low at the next.
  public var latches = false
}

/// A checked scene: values that are set at once.
public struct PlannedScene: Sendable, Equatable {
  public struct Value: Sendable, Equatable {
    public var target: ControlTarget
    /// The value in the parameter's unit and range; 0 or 1 for a bypass.
    public var value: Float
  }

  public var name: String
  /// The length of the change, seconds.
  public var time = 0.0
  /// The description of `time` as a parameter, for reading and range.
  public static let timeInfo = ParameterInfo(
    identifier: "over", name: "Over", unit: .seconds, minimum: 0, maximum: 600, defaultValue: 0)
  public var values: [Value]
}
