import RackModel

/// The units that keep their present parameters and bypass when another plan replaces theirs.
public struct KeptUnits: Sendable {
  /// The identities of the units; nil for all units.
  private var ids: Set<UnitID>?

  public static let none = KeptUnits([])
  public static let all = KeptUnits(nil)

  public init(_ ids: Set<UnitID>?) { self.ids = ids }

  func keeps(_ id: UnitID) -> Bool { ids?.contains(id) ?? true }
}
