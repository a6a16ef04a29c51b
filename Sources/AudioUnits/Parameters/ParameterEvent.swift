import Synchronization

/// Identifies an observer of a parameter tree, to remove it and to name it as a change's
/// originator.
///
/// No two observers of a process ever have the same token.
public struct ParameterObserverToken: Sendable, Hashable {
  /// The index of the observed node.
  let node: Int
  /// A number in order of registration.
  let number = Self.last.add(1, ordering: .relaxed).newValue
  private static let last = Atomic<UInt64>(0)
}

/// The gesture that an automation event records.
public enum ParameterAutomationEventType: Sendable {
  /// The user touches the knob.
  case touch
  /// The knob moves.
  case value
  /// The user releases the knob.
  case release
}

/// A value that was set and its time, for recordings.
public struct RecordedParameterEvent: Sendable, Equatable {
  /// The time, nanoseconds of CLOCK_MONOTONIC, JACK's clock.
  public let hostTime: UInt64
  public let address: UInt64
  public let value: Float
}

/// A touch, a value or a release, for automation.
public struct ParameterAutomationEvent: Sendable, Equatable {
  /// The time, nanoseconds of CLOCK_MONOTONIC, JACK's clock.
  public let hostTime: UInt64
  public let address: UInt64
  public let value: Float
  public let eventType: ParameterAutomationEventType
}

/// Receives a parameter's new value.
public typealias ParameterObserver = @Sendable (Parameter, Float) -> Void
/// Receives every value that is set, several at a time, in order.
public typealias ParameterRecordingObserver = @Sendable ([RecordedParameterEvent]) -> Void
/// Receives every touch, value and release, several at a time, in order.
public typealias ParameterAutomationObserver = @Sendable ([ParameterAutomationEvent]) -> Void
