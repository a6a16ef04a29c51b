import Documents
import RackEngine
import RackModel

/// The functions with which a session reads and checks racks.
public struct RackSources: Sendable {
  /// Returns a checker that resolves relative paths in a folder.
  public var checker: @Sendable (_ folder: String) -> RackChecker
  /// Reads the rack of a path or a name; returns it with its errors and warnings. The rack is nil after an error.
  public var load: @Sendable (_ name: String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])

  /// The store of the positions of boxes.
  public var layouts: RackLayouts

  /// Returns a readable reason why a file must not be written; nil if it may be.
  public var reasonNotToWrite: @Sendable (_ name: String) -> String?

  public init(
    checker: @escaping @Sendable (_ folder: String) -> RackChecker,
    load:
      @escaping @Sendable (_ name: String) -> (
        rack: CheckedRack?, diagnostics: [Diagnostic]
      ),
    layouts: RackLayouts = RackLayouts(),
    reasonNotToWrite: @escaping @Sendable (_ name: String) -> String? = { _ in nil }
  ) {
    (self.checker, self.load, self.layouts) = (checker, load, layouts)
    self.reasonNotToWrite = reasonNotToWrite
  }
}
