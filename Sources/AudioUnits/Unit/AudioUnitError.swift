/// The reason why a unit could not be created, rendered or changed.
public struct AudioUnitError: Error, CustomStringConvertible, Sendable {
  public var unit: String
  public var reason: String
  public var description: String { "\(unit): \(reason)" }
}
