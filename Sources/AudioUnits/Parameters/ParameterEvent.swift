/// Stands for one observer: to remove it, and to say that a change comes from it.
public struct ParameterObserverToken: Sendable, Hashable {
  let number: UInt64
}

/// What a hand does to a knob.
public enum ParameterAutomationEventType: Sendable {
  /// Takes hold of it.
  case touch
  /// Moves it.
  case value
  /// Lets go of it.
  case release
}

/// A value that was set, for recordings.
public struct RecordedParameterEvent: Sendable, Equatable {
  /// Nanoseconds of CLOCK_MONOTONIC, JACK's clock.
  public let hostTime: UInt64
  public let address: UInt64
  public let value: Float
}

/// A touch, a value or a release, for automation.
public struct ParameterAutomationEvent: Sendable, Equatable {
  /// Nanoseconds of CLOCK_MONOTONIC, JACK's clock.
  public let hostTime: UInt64
  public let address: UInt64
  public let value: Float
  public let eventType: ParameterAutomationEventType
}

/// Is told of a parameter's new value.
public typealias ParameterObserver = @Sendable (Parameter, Float) -> Void
/// Is told of every value that is set, several at a time, in order.
public typealias ParameterRecordingObserver = @Sendable ([RecordedParameterEvent]) -> Void
/// Is told of every touch, value and release, several at a time, in order.
public typealias ParameterAutomationObserver = @Sendable ([ParameterAutomationEvent]) -> Void
