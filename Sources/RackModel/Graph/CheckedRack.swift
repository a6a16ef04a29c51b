/// A rack as it is written, and what follows from that: its plan.
public struct CheckedRack: Sendable, Equatable {
  public var file: RackFile
  /// The folder, from the root, which paths in it are taken from.
  public var folder: String
  public var plan: Plan
  /// The text that it was read from; nil where it has been edited since.
  public var bytes: [UInt8]?

  public init(file: RackFile, folder: String, plan: Plan, bytes: [UInt8]? = nil) {
    (self.file, self.folder, self.plan, self.bytes) = (file, folder, plan, bytes)
  }
}
