/// A rack as it is written, and what follows from that: its plan.
public struct CheckedRack: Sendable, Equatable {
  public var file: RackFile
  /// The folder, from the root, which paths in it are taken from.
  public var folder: String
  public var plan: Plan

  public init(file: RackFile, folder: String, plan: Plan) {
    (self.file, self.folder, self.plan) = (file, folder, plan)
  }
}
