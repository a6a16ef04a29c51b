/// A rack file with its plan.
public struct CheckedRack: Sendable, Equatable {
  public var file: Rack
  /// The absolute path of the folder to which its paths are relative.
  public var folder: String
  public var plan: Plan
  /// The text that it was read from; nil where it has been edited since.
  public var bytes: [UInt8]?
}
