import Documents
import UnitModel

/// The reason why a preset could not be read, saved, renamed or deleted.
public enum PresetError: Error, Sendable, CustomStringConvertible {
  case noSuchPreset(String, of: UnitFacts, nearest: String?)
  /// The name belongs to a preset that ships with the unit.
  case belongsToTheUnit(String)
  case nameIsTaken(String)
  case badName(String, reason: String)
  /// The preset's file has errors.
  case unreadable([Diagnostic])

  public var description: String {
    switch self {
    case .noSuchPreset(let name, let facts, let nearest):
      "“\(facts.name)” has no preset “\(name)”"
        + (nearest.map { "; did you mean “\($0)”?" } ?? "")
    case .belongsToTheUnit(let name):
      "“\(name)” comes with the unit and stays as it is; choose another name"
    case .nameIsTaken(let name): "there is a preset “\(name)” already"
    case .badName(let name, let reason): "“\(name)” is not a name for a preset: \(reason)"
    case .unreadable(let diagnostics):
      diagnostics.map(\.description).joined(separator: "\n")
    }
  }
}
