/// A rack file with its plan.
///
/// The plan holds the present values: those of the file at first, and later those that the units are set
/// to. The file keeps its text until `RackFileWriter` writes the values into it.
public struct CheckedRack: Sendable, Equatable {
  public var file: Rack
  /// The absolute path of the folder to which the file's paths are relative.
  public var folder: String
  public var plan: Plan
  /// The text that the rack was read from; nil if the file has been edited since.
  public var bytes: [UInt8]?
}
