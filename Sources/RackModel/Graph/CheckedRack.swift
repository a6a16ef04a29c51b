/// A rack file with its plan.
public struct CheckedRack: Sendable, Equatable {
  public var file: RackFile
  /// The absolute path of the folder to which its paths are relative.
  public var folder: String
  public var plan: Plan
  /// The text that it was read from; nil where it has been edited since.
  public var bytes: [UInt8]?

  public init(file: RackFile, folder: String, plan: Plan, bytes: [UInt8]? = nil) {
    (self.file, self.folder, self.plan, self.bytes) = (file, folder, plan, bytes)
  }
}
