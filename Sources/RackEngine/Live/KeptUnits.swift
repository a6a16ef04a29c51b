/// Which units go on with the parameters and the bypass that they have when another plan takes over.
public struct KeptUnits: Sendable {
  /// By the names that they have in the new plan; nil for all.
  private var names: Set<String>?
  /// Of those that have been renamed: what they were called before, by what they are called now.
  private var formerNames: [String: String]

  public static let none = KeptUnits([])
  public static let all = KeptUnits(nil)

  public init(_ names: Set<String>?, formerNames: [String: String] = [:]) {
    (self.names, self.formerNames) = (names, formerNames)
  }

  func keeps(_ name: String) -> Bool { names?.contains(name) ?? true }

  func formerName(of name: String) -> String { formerNames[name] ?? name }
}
