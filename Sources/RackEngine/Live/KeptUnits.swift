/// The units that keep their present parameters and bypass when another plan replaces theirs.
public struct KeptUnits: Sendable {
  /// In the new plan; nil for all.
  private var names: Set<String>?
  /// The former names of renamed units, by the new ones.
  private var formerNames: [String: String]

  public static let none = KeptUnits([])
  public static let all = KeptUnits(nil)

  public init(_ names: Set<String>?, formerNames: [String: String] = [:]) {
    (self.names, self.formerNames) = (names, formerNames)
  }

  func keeps(_ name: String) -> Bool { names?.contains(name) ?? true }

  func formerName(of name: String) -> String { formerNames[name] ?? name }
}
