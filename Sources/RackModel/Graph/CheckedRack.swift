/// A rack file with its plan.
///
/// The plan is the home of values: those of the file when it is read, and later those that its units are set to. The file
/// keeps its words until `RackFileWriter` writes the values into them.
public struct CheckedRack: Sendable, Equatable {
  public var file: Rack
  /// The absolute path of the folder to which its paths are relative.
  public var folder: String
  public var plan: Plan
  /// The text that it was read from; nil for a file that has been edited since.
  public var bytes: [UInt8]?
}
