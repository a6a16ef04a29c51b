import Documents
import RackEngine
import RackModel

/// How a session reads and checks racks.
public struct RackSources: Sendable {
  /// A checker that takes the paths of racks from a folder.
  public var checker: @Sendable (_ folder: String) -> RackChecker
  /// The rack of a path or a name, with its errors and warnings.
  public var load: @Sendable (_ name: String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])

  /// Where the places of boxes are kept.
  public var layouts: RackLayouts

  /// Why a file must not be written, for people; nil if it may.
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
