import Documents
import RackEngine
import RackModel

/// Where a session's racks come from.
public struct RackSources: Sendable {
  /// A checker that takes the paths of racks from a folder.
  public var checker: @Sendable (_ folder: String) -> RackChecker
  /// The rack that goes by a path or a name, and everything that there is to say about it.
  public var load: @Sendable (_ name: String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])

  /// Why nothing is written into the file of that name, for people; nil where nothing speaks against.
  public var reasonNotToWrite: @Sendable (_ name: String) -> String?

  public init(
    checker: @escaping @Sendable (_ folder: String) -> RackChecker,
    load:
      @escaping @Sendable (_ name: String) -> (
        rack: CheckedRack?, diagnostics: [Diagnostic]
      ),
    reasonNotToWrite: @escaping @Sendable (_ name: String) -> String? = { _ in nil }
  ) {
    (self.checker, self.load, self.reasonNotToWrite) = (checker, load, reasonNotToWrite)
  }
}
